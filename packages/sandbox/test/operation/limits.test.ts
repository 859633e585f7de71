import { describe, expect, test } from 'vitest'
import { createFailureLimit, createRateLimit } from '../../src/operation/limits.ts'
import { currentSource, fromAddress, identifyClient } from '../../src/operation/source.ts'

type Refill = Parameters<typeof createRateLimit>[0]

function failureLimit(refills: readonly Refill[], salt = 'salt') {
  // Nothing is refilled.
  const kinds = refills.map((refill) => ({ ...refill, clock: () => 0 }))
  const limit = createFailureLimit({ kinds, salt, counters: 64 })
  return { count: (...subjects: string[]) => limit.count(subjects) }
}

function rateLimit(refill: Refill) {
  let now = 0
  const limit = createRateLimit<string>({ ...refill, clock: () => now })
  return {
    limit,
    count: (key: string) => limit.take(key),
    moveTo: (timeMs: number) => {
      now = timeMs
    },
  }
}

describe('a limit of requests', () => {
  test('admits as many of a key at once as the capacity, then returns how long to wait', () => {
    const { count, moveTo } = rateLimit({ capacity: 3, refillPerSecond: 0.5 })
    expect(['a', 'a', 'a', 'a', 'b'].map(count)).toEqual([0, 0, 0, 2, 0])

    moveTo(1_999)
    expect(count('a')).toBe(1)

    moveTo(2_000)
    expect(count('a')).toBe(0)
    expect(count('a')).toBe(2)

    moveTo(3_600_000)
    expect(['a', 'a', 'a', 'a'].map(count)).toEqual([0, 0, 0, 2])
  })

  test('counts down second by second, though tenths do not add up to one', () => {
    const { count, moveTo } = rateLimit({ capacity: 1, refillPerSecond: 0.1 })
    count('a')
    const waits = Array.from({ length: 10 }, (_, second) => {
      moveTo((second + 1) * 1_000)
      return count('a')
    })
    expect(waits).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })

  test('charges afterwards, down to minus the capacity', () => {
    const { limit, count } = rateLimit({ capacity: 4, refillPerSecond: 1 })
    count('a')
    limit.charge('a', 2)
    expect(count('a')).toBe(0)
    expect(count('a')).toBe(1)

    limit.charge('a', 1_000)
    expect(count('a')).toBe(5)
  })
})

describe('a limit of failures', () => {
  test('counts a failure for each of its subjects, or for none if one has reached its limit', () => {
    const one = { capacity: 1, refillPerSecond: 1 }
    const three = { capacity: 3, refillPerSecond: 1 }
    const { count } = failureLimit([one, three])
    expect(count('a', 'x')).toBe(0)
    for (let i = 0; i < 10; i++) expect(count('a', 'x')).toBe(1)
    expect(count('b', 'x')).toBe(0)
    expect(count('c', 'x')).toBe(0)
    expect(count('d', 'x')).toBe(1)
    expect(count('d', 'y')).toBe(0)
  })

  test('forgets no subject, however many others there are', () => {
    const { count } = failureLimit([{ capacity: 2, refillPerSecond: 1 }])
    for (const _ of [1, 2]) count('attacked')
    for (let i = 0; i < 10_000; i++) count(`invented ${i}`)
    expect(count('attacked')).toBeGreaterThan(0)
  })

  test('assigns counters unpredictably', () => {
    const shared = (salt: string) => {
      const { count } = failureLimit([{ capacity: 1, refillPerSecond: 1 }], salt)
      count('attacked')
      return Array.from({ length: 200 }, (_, i) => i).filter((i) => count(`invented ${i}`) > 0)
    }
    expect(shared('one')).not.toEqual(shared('other'))
  })
})

test.each([
  { address: '::ffff:127.0.0.1', source: '127.0.0.1' },
  { address: '::FFFF:192.0.2.7', source: '192.0.2.7' },
  { address: '::1', source: '0:0:0:0' },
  { address: '2001:db8:0:0:ffff::1', source: '2001:db8:0:0' },
  { address: '2001:db8:1:2:3:4:5:6', source: '2001:db8:1:2' },
  { address: 'fe80::1%eth0', source: 'fe80:0:0:0' },
  { address: '/run/socket', source: '/run/socket' },
])('a request from $address has the source $source', ({ address, source }) => {
  expect(identifyClient(address)).toBe(source)
})

test('a request without a connection comes from the process', () => {
  expect(currentSource()).toBe('this process')
  expect(fromAddress('192.0.2.1', currentSource)).toBe('192.0.2.1')
  expect(currentSource()).toBe('this process')
})

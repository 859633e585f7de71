import { describe, expect, test } from 'vitest'
import { createFailureLimit, createRateLimit } from '../../src/operation/limits.ts'
import { currentSource, fromAddress, sourceOf } from '../../src/operation/source.ts'

describe('a limit of failures', () => {
  test('it counts as many failures at once as the capacity, then returns how long to wait', () => {
    const { limit, at } = failureLimit([{ capacity: 3, refillPerSecond: 0.5 }])
    expect([1, 2, 3, 4].map(() => limit.count(['a']))).toEqual([0, 0, 0, 2])
    at(1_999)
    expect(limit.count(['a'])).toBe(1)
    at(2_000)
    expect(limit.count(['a'])).toBe(0)
    expect(limit.count(['a'])).toBe(2)
  })

  test('it counts down second by second, though tenths do not add up to one', () => {
    const { limit, at } = failureLimit([{ capacity: 1, refillPerSecond: 0.1 }])
    limit.count(['a'])
    const waits = Array.from({ length: 10 }, (_, second) => {
      at((second + 1) * 1_000)
      return limit.count(['a'])
    })
    expect(waits).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })

  test('it counts a failure for each of its subjects, or for none if one has reached its limit', () => {
    const { limit } = failureLimit([
      { capacity: 1, refillPerSecond: 1 },
      { capacity: 3, refillPerSecond: 1 },
    ])
    expect(limit.count(['a', 'x'])).toBe(0)
    for (let i = 0; i < 10; i++) expect(limit.count(['a', 'x'])).toBe(1)
    expect([limit.count(['b', 'x']), limit.count(['c', 'x']), limit.count(['d', 'x'])]).toEqual([0, 0, 1])
    expect(limit.count(['d', 'y'])).toBe(0)
  })

  test('it forgets no subject, however many others there are', () => {
    const { limit } = failureLimit([{ capacity: 2, refillPerSecond: 1 }], 64)
    for (const _ of [1, 2]) limit.count(['attacked'])
    for (let i = 0; i < 10_000; i++) limit.count([`invented ${i}`])
    expect(limit.count(['attacked'])).toBeGreaterThan(0)
  })

  test('it refills nothing when the clock goes back', () => {
    const { limit, at } = failureLimit([{ capacity: 1, refillPerSecond: 1 }])
    at(5_000)
    limit.count(['a'])
    at(0)
    expect(limit.count(['a'])).toBe(1)
  })

  test('it assigns counters unpredictably', () => {
    const shared = (salt: string) => {
      const kinds = [{ capacity: 1, refillPerSecond: 1 }]
      const limit = createFailureLimit({ kinds, salt, counters: 64, clock: () => 0 })
      limit.count(['attacked'])
      return Array.from({ length: 200 }, (_, i) => i).filter((i) => limit.count([`invented ${i}`]) > 0)
    }
    expect(shared('one')).not.toEqual(shared('other'))
  })

  function failureLimit(kinds: { capacity: number; refillPerSecond: number }[], counters?: number) {
    let now = 0
    const limit = createFailureLimit({ kinds, salt: 'salt', ...(counters && { counters }), clock: () => now })
    return { limit, at: (time: number) => (now = time) }
  }
})

describe('a limit of requests', () => {
  test('admits as much at once as the capacity, then returns how long to wait', () => {
    const { limit, at } = rateLimit({ capacity: 3, refillPerSecond: 0.5 })
    expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([0, 0, 0, 2])
    at(1_999)
    expect(limit.take('a')).toBe(1)
    at(2_000)
    expect(limit.take('a')).toBe(0)
    expect(limit.take('a')).toBe(2)
  })

  test('limits each key separately', () => {
    const { limit } = rateLimit({ capacity: 1, refillPerSecond: 1 })
    expect([limit.take('a'), limit.take('b'), limit.take('a')]).toEqual([0, 0, 1])
  })

  test('never holds more than the capacity', () => {
    const { limit, at } = rateLimit({ capacity: 2, refillPerSecond: 1 })
    limit.take('a')
    at(3_600_000)
    expect([1, 2, 3].map(() => limit.take('a'))).toEqual([0, 0, 1])
  })

  test('charges afterwards, down to minus the capacity', () => {
    const { limit } = rateLimit({ capacity: 4, refillPerSecond: 1 })
    limit.take('a')
    limit.charge('a', 2)
    expect(limit.take('a')).toBe(0)
    expect(limit.take('a')).toBe(1)
    limit.charge('a', 1_000)
    expect(limit.take('a')).toBe(5)
  })

  test('refills nothing when the clock goes back', () => {
    const { limit, at } = rateLimit({ capacity: 1, refillPerSecond: 1 })
    at(5_000)
    limit.take('a')
    at(0)
    expect(limit.take('a')).toBe(1)
  })

  test('counts down second by second, though tenths do not add up to one', () => {
    const { limit, at } = rateLimit({ capacity: 1, refillPerSecond: 0.1 })
    limit.take('a')
    const waits = Array.from({ length: 10 }, (_, second) => {
      at((second + 1) * 1_000)
      return limit.take('a')
    })
    expect(waits).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })

  function rateLimit(options: { capacity: number; refillPerSecond: number }) {
    let now = 0
    const limit = createRateLimit({ ...options, clock: () => now })
    return { limit, at: (time: number) => (now = time) }
  }
})

describe('the source of a request', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:0:0:ffff::1', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['/run/socket', '/run/socket'],
  ])('it takes %s for %s', (address, source) => {
    expect(sourceOf(address)).toBe(source)
  })

  test('it treats a request without a connection as coming from the process', () => {
    expect(currentSource()).toBe('this process')
    expect(fromAddress('192.0.2.1', currentSource)).toBe('192.0.2.1')
    expect(currentSource()).toBe('this process')
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateLimit } from '../../src/operation/rate-limit.ts'

test('admits as much at once as the capacity, then returns how long to wait', () => {
  const { limit, at } = limited({ capacity: 3, refillPerSecond: 0.5 })
  expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([0, 0, 0, 2])
  at(1_999)
  expect(limit.take('a')).toBe(1)
  at(2_000)
  expect(limit.take('a')).toBe(0)
  expect(limit.take('a')).toBe(2)
})

test('limits each key separately', () => {
  const { limit } = limited({ capacity: 1, refillPerSecond: 1 })
  expect([limit.take('a'), limit.take('b'), limit.take('a')]).toEqual([0, 0, 1])
})

test('spends the cost, and nothing if there is too little', () => {
  const { limit } = limited({ capacity: 10, refillPerSecond: 1 })
  expect(limit.take('a', 8)).toBe(0)
  expect(limit.take('a', 5)).toBe(3)
  expect(limit.take('a', 2)).toBe(0)
})

test('treats a cost above the capacity as the capacity', () => {
  const { limit } = limited({ capacity: 2, refillPerSecond: 1 })
  expect(limit.take('a', 99)).toBe(0)
  expect(limit.take('a', 99)).toBe(2)
})

test('never holds more than the capacity', () => {
  const { limit, at } = limited({ capacity: 2, refillPerSecond: 1 })
  limit.take('a')
  at(3_600_000)
  expect([1, 2, 3].map(() => limit.take('a'))).toEqual([0, 0, 1])
})

test('charges afterwards, down to minus the capacity', () => {
  const { limit } = limited({ capacity: 4, refillPerSecond: 1 })
  limit.take('a')
  limit.charge('a', 2)
  expect(limit.take('a', 2)).toBe(1)
  limit.charge('a', 1_000)
  expect(limit.take('a')).toBe(5)
})

test('drops the least recently used key, and no other', () => {
  const { limit } = limited({ capacity: 1, refillPerSecond: 1, max: 2 })
  limit.take('a')
  limit.take('b')
  expect(limit.take('a')).toBe(1)
  limit.take('c')
  expect(limit.take('a')).toBe(1)
  expect(limit.take('b')).toBe(0)
})

test('refills nothing when the clock goes back', () => {
  const { limit, at } = limited({ capacity: 1, refillPerSecond: 1 })
  at(5_000)
  limit.take('a')
  at(0)
  expect(limit.take('a')).toBe(1)
})

test('counts down second by second, though tenths do not add up to one', () => {
  const { limit, at } = limited({ capacity: 1, refillPerSecond: 0.1 })
  limit.take('a')
  const waits = Array.from({ length: 10 }, (_, second) => {
    at((second + 1) * 1_000)
    return limit.take('a')
  })
  expect(waits).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
})

test('refuses a capacity or refill that would admit nothing', () => {
  expect(() => createRateLimit({ capacity: 0, refillPerSecond: 1 })).toThrow(RangeError)
  expect(() => createRateLimit({ capacity: 1, refillPerSecond: 0 })).toThrow(RangeError)
  expect(() => createRateLimit({ capacity: Number.NaN, refillPerSecond: 1 })).toThrow(RangeError)
})

test('admits a caller after the returned seconds, and not a second earlier', () => {
  const amount = fc.integer({ min: 1, max: 50 })
  const rate = fc.constantFrom(0.1, 0.3, 1, 1 / 3, 7, 10)
  fc.assert(
    fc.property(
      amount,
      rate,
      fc.array(fc.tuple(amount, fc.nat(3_000))),
      (capacity, refillPerSecond, steps) => {
        const { limit, at } = limited({ capacity, refillPerSecond })
        let now = 0
        for (const [cost, pause] of steps) {
          now += pause
          at(now)
          const seconds = limit.take('a', cost)
          if (seconds === 0) continue
          at(now + (seconds - 1) * 1_000)
          expect(limit.take('a', cost)).toBeGreaterThan(0)
          now += seconds * 1_000
          at(now)
          expect(limit.take('a', cost)).toBe(0)
        }
      },
    ),
  )
})

function limited(options: { capacity: number; refillPerSecond: number; max?: number }) {
  let now = 0
  const limit = createRateLimit({ ...options, clock: () => now })
  return { limit, at: (time: number) => (now = time) }
}

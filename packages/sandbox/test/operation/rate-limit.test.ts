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
  expect(limit.take('a')).toBe(0)
  expect(limit.take('a')).toBe(1)
  limit.charge('a', 1_000)
  expect(limit.take('a')).toBe(5)
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

function limited(options: { capacity: number; refillPerSecond: number }) {
  let now = 0
  const limit = createRateLimit({ ...options, clock: () => now })
  return { limit, at: (time: number) => (now = time) }
}

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTelling } from '../src/engine/progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const counted = () => ({ requests: 1, cases: 2, findings: 3 })

test('tells every second, and after each law', () => {
  const told = vi.fn()
  const telling = createTelling(7, counted, told, vi.fn())
  telling.enter('twins')
  vi.advanceTimersByTime(2_000)
  telling.tried('break-refused')
  telling.end()
  vi.advanceTimersByTime(5_000)
  expect(told.mock.calls.map(([it]) => [it.phase, it.law, it.tried, it.laws])).toEqual([
    ['twins', undefined, 0, 7],
    ['twins', undefined, 0, 7],
    ['twins', 'break-refused', 1, 7],
  ])
})

test('tells a listener that throws nothing more, and who runs it once', () => {
  const listener = vi.fn(() => {
    throw new Error('nobody is there')
  })
  const failed = vi.fn()
  const telling = createTelling(7, counted, listener, failed)
  vi.advanceTimersByTime(3_000)
  telling.tried('break-refused')
  telling.end()
  expect(listener).toHaveBeenCalledTimes(1)
  expect(failed.mock.calls).toEqual([['onProgress threw: nobody is there']])
})

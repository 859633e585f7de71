import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgressReporter } from '../../src/engine/progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const counted = () => ({ requests: 1, cases: 2, findings: 3 })

test('reports every second, and after each rule', () => {
  const onProgress = vi.fn()
  const progress = createProgressReporter(7, counted, onProgress, vi.fn())
  progress.enter('invalid requests')
  vi.advanceTimersByTime(2_000)
  progress.tried('break-refused')
  progress.end()
  vi.advanceTimersByTime(5_000)
  expect(onProgress.mock.calls.map(([it]) => [it.phase, it.rule, it.tried, it.rules])).toEqual([
    ['invalid requests', undefined, 0, 7],
    ['invalid requests', undefined, 0, 7],
    ['invalid requests', 'break-refused', 1, 7],
  ])
})

test('stops after an error of the listener, and reports the error once', () => {
  const listener = vi.fn(() => {
    throw new Error('nobody is there')
  })
  const failed = vi.fn()
  const progress = createProgressReporter(7, counted, listener, failed)
  vi.advanceTimersByTime(3_000)
  progress.tried('break-refused')
  progress.end()
  expect(listener).toHaveBeenCalledTimes(1)
  expect(failed.mock.calls).toEqual([['onProgress threw: nobody is there']])
})

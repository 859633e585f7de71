import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../src/index.ts'

interface Timer {
  readonly at: number
  readonly wake: () => void
}

export const START = Date.UTC(2026, 10, 2)

/** A clock that a test moves. */
export function testClock() {
  let time = START
  const timers = new Set<Timer>()
  const clock: Clock = {
    now: () => time,
    after(ms, wake) {
      const timer = { at: time + ms, wake }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  /** Runs all pending tasks, then advances from timer to timer. */
  const advance = async (ms: number) => {
    const end = time + ms
    for (;;) {
      await settle()
      const next = firstOf(timers)
      if (!next || next.at > end) break
      timers.delete(next)
      time = Math.max(time, next.at)
      next.wake()
    }
    time = end
  }
  /** The result of a call that ends in the next minutes. */
  const endOf = async <T>(call: Promise<T>): Promise<T> => {
    await advance(1e6)
    return call
  }
  return { ...clock, advance, endOf, timers }
}

/** The timer that wakes first; of equal ones, that which was set first. */
function firstOf(timers: ReadonlySet<Timer>): Timer | undefined {
  const sorted = [...timers].sort((one, other) => one.at - other.at)
  return sorted[0]
}

async function settle() {
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

import { vi } from 'vitest'

/** Whether what is asked for waits for a timer of so many milliseconds. No time passes. */
export async function waits(ask: () => Promise<unknown>, ms: number): Promise<boolean> {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const answer = ask().then(() => 'answered')
    // The right service answers within some turns of the event loop; another one sets a timer first.
    while (vi.getTimerCount() === 0) if ((await Promise.race([answer, turn()])) === 'answered') return false
    await vi.advanceTimersByTimeAsync(ms)
    await answer
    return true
  } finally {
    vi.useRealTimers()
  }
}

function turn(): Promise<string> {
  return new Promise((resolve) => setImmediate(() => resolve('a turn later')))
}

import { setTimeout } from 'node:timers/promises'

/** The time and waiting, which tests replace. */
export interface Clock {
  /** Milliseconds. */
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>
}

/** A clock whose waits end early if they are aborted. The transport then ends the request with the same signal. */
export function clockBy(now: () => number): Clock {
  return {
    now,
    sleep: (ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
  }
}

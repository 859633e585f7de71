/** Creates a signal that aborts after this many milliseconds. */
export type LimitOf = (ms: number) => AbortSignal

/** Uses the timers of the system. */
export const limitOf: LimitOf = (ms) => AbortSignal.timeout(ms)

/** A signal that aborts after so many milliseconds. */
export type LimitOf = (ms: number) => AbortSignal

/** By the system's timers. */
export const limitOf: LimitOf = (ms) => AbortSignal.timeout(ms)

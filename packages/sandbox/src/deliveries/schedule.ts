const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * Milliseconds to wait after each attempt that failed: ten attempts over 75 hours 35 minutes (Standard Webhooks 1.0.0,
 * "Deliverability and reliability").
 */
export const WAITS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** When to try again after so many attempts that failed; null when it was the last. */
export function nextAttempt(attempts: number, now: number): number | null {
  const wait = WAITS[attempts - 1]
  return wait === undefined ? null : now + wait
}

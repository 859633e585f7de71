import { DELIVERIES } from '../behaviour.ts'

/**
 * Milliseconds to wait after each failed attempt: ten attempts over 75 hours 35 minutes (Standard Webhooks 1.0.0,
 * "Deliverability and reliability").
 */
export const WAITS: readonly number[] = DELIVERIES.waits

/** When to try again after this many failed attempts, or null after the last. */
export function nextAttempt(attempts: number, now: number): number | null {
  const wait = WAITS[attempts - 1]
  return wait === undefined ? null : now + wait
}

import type { Clock } from '../clock.ts'
import type { Worker } from '../due/worker.ts'
import { timestamp } from '../time.ts'
import type { Bodies } from './input.ts'

/**
 * Maximum milliseconds that an advance waits for its turn and for the work that becomes due on the
 * way.
 */
export const ADVANCE_MS = 1_500

/** The time of the sandbox for display. `ahead_seconds` is its distance from the system's clock. */
export function describeClock(clock: Clock) {
  const ahead_seconds = Math.round(clock.ahead) / 1000
  return { now: timestamp(clock.now()), frozen: clock.isFrozen, ahead_seconds }
}

/**
 * Resets the clock, then freezes or resumes it, then moves it forward, as the body of the request
 * asks. Resolves when all work that became due on the way is done, or when `limit` aborts. After
 * that the work continues in the background, so no delivery is lost.
 *
 * @param worker runs the work that becomes due: settlements and deliveries
 */
export async function setClock(
  { clock, worker }: { readonly clock: Clock; readonly worker: Worker },
  { reset, freeze, advance_seconds }: Bodies['/clock'],
  limit: AbortSignal,
): Promise<void> {
  if (reset) clock.reset()
  if (freeze === true) clock.freeze()
  if (freeze === false) clock.resume()
  if (advance_seconds !== undefined) {
    const advanceMs = Math.round(advance_seconds * 1000)
    await worker.moveTo(clock.now() + advanceMs, limit)
  }
  // Wake the worker: while the clock was frozen, it set no timer for the next due time.
  worker.wake()
}

/** Creates a signal that aborts after this many milliseconds. */
export type LimitOf = (ms: number) => AbortSignal

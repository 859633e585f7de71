import type { Clock } from '../clock.ts'
import type { Sandbox } from '../sandbox.ts'
import { timestamp } from '../time.ts'
import type { Bodies } from './input.ts'

/** Milliseconds that an advance waits for its turn, and for what becomes due on the way. */
export const ADVANCE_MS = 1_500

/** The time of a sandbox as people see it; `ahead_seconds` is how far it is from the system's. */
export function clockOf(clock: Clock) {
  const ahead_seconds = Math.round(clock.ahead) / 1000
  return { now: timestamp(clock.now()), frozen: clock.isFrozen, ahead_seconds }
}

/**
 * Puts the clock back to the system's time, then stops it or lets it run, then moves it on. Done when all that became
 * due on the way was done, or `limit` aborts; then it goes on in the background, and no delivery is lost.
 */
export async function setClock(
  { clock, worker }: Pick<Sandbox, 'clock' | 'worker'>,
  { reset, freeze, advance_seconds }: Bodies['/clock'],
  limit: AbortSignal,
): Promise<void> {
  if (reset) clock.reset()
  if (freeze === true) clock.freeze()
  if (freeze === false) clock.resume()
  if (advance_seconds !== undefined)
    await worker.moveTo(clock.now() + Math.round(advance_seconds * 1000), limit)
  // A worker beside a frozen clock does not wait for what is due.
  worker.poke()
}

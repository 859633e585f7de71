import type { Clock } from '../clock.ts'
import type { Sandbox } from '../sandbox.ts'
import { timestamp } from '../time.ts'
import type { Bodies } from './input.ts'

/** The time of a sandbox as people see it. */
export function clockOf(clock: Clock) {
  return { now: timestamp(clock.now()), frozen: clock.isFrozen }
}

/** Stops the clock or lets it run, then moves it on; done when all that became due on the way was done. */
export async function setClock(
  { clock, worker }: Pick<Sandbox, 'clock' | 'worker'>,
  { freeze, advance_seconds }: Bodies['/clock'],
): Promise<void> {
  if (freeze === true) clock.freeze()
  if (freeze === false) clock.resume()
  if (advance_seconds !== undefined) await worker.moveTo(clock.now() + Math.round(advance_seconds * 1000))
  // A worker beside a frozen clock does not wait for what is due.
  worker.poke()
}

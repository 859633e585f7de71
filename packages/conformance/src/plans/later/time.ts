import { addDays } from '../../model/amounts.ts'
import type { PlanContext } from '../plan.ts'

export const MINUTE_SECONDS = 60
/** Seconds after its end at which a token or a look-up has certainly expired. */
export const GRACE_SECONDS = 10

/** The first Monday after tomorrow: of a Saturday, `2026-05-30`, it is `2026-06-01`, and of a Sunday a week later. */
export function mondayAfter(today: string): string {
  const dayAfterTomorrow = addDays(today, 2)
  // From 0, Sunday, to 6.
  const weekday = new Date(dayAfterTomorrow).getUTCDay()
  const daysUntilMonday = (8 - weekday) % 7
  return addDays(dayAfterTomorrow, daysUntilMonday)
}

/**
 * The milliseconds since 1970 of a minute in Brazil: `{ day: 2, minute: 90 }` is half past one in the night, two
 * days after the date.
 */
export function instantOf(
  date: string,
  { day, minute }: { readonly day: number; readonly minute: number },
): number {
  return Date.parse(`${addDays(date, day)}T00:00:00-03:00`) + minute * 60_000
}

/**
 * Moves the clock of a sandbox ahead by some seconds, and lets the run sign in again, since its tokens may have expired.
 * Returns false if the clock could not be moved.
 *
 * @param seconds If zero or less, the time has come already, and the clock is not moved.
 */
export async function passSeconds(
  { clock, identities }: PlanContext,
  seconds: number,
): Promise<boolean> {
  const hasCome = seconds <= 0
  const isReached = hasCome || (await clock.advance(Math.ceil(seconds)))
  identities.renew()
  return isReached
}

/**
 * Moves the clock of the service to an instant, or waits for it where the clock cannot be moved. Returns
 * false if the sandbox refused to move it.
 *
 * @param instant Milliseconds since 1970.
 */
export async function passTimeUntil(context: PlanContext, instant: number): Promise<boolean> {
  const { clock, wait } = context
  if (clock.isControlled) return passSeconds(context, (instant - clock.now()) / 1000)

  await wait(Math.max(0, instant - clock.now()))
  return true
}

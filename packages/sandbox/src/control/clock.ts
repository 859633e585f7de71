import type { Clock } from '../clock.ts'
import { timestamp } from '../time.ts'

/** The time of a sandbox as people see it. */
export function clockOf(clock: Clock) {
  return { now: timestamp(clock.now()), frozen: clock.isFrozen }
}

import { parse } from 'iso8601-duration'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * Milliseconds of an ISO 8601 duration. The library's own sum depends on the local time zone and
 * its DST.
 */
export function durationMs(duration: string): number {
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = parse(duration)
  return days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS
}

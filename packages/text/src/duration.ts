import { parse } from 'iso8601-duration'

/**
 * Milliseconds of an ISO 8601 duration. The library's own sum depends on the local time zone and
 * its DST.
 */
export function durationMs(duration: string): number {
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = parse(duration)
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}

import { parse } from 'iso8601-duration'

/** A day has 24 hours: the library's own sum follows the local clock, so it can be an hour off where DST begins. */
export function durationSeconds(duration: string): number {
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = parse(duration)
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}

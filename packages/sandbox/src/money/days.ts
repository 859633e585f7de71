const HOUR = 3_600_000
const DAY = 24 * HOUR
const LAST = Date.parse('9999-12-31')

/**
 * The full-date in Brazil's official time at a moment in milliseconds since 1970.
 *
 * The offset is fixed: Brasília uses UTC-3 all year since Decreto 9.772/2019 ended its summer time. So this needs no
 * time zone data. A test compares it with that data, and fails if a summer time returns.
 *
 * @throws {RangeError} if the moment is outside the range of `Date`.
 */
export function dayOf(milliseconds: number): string {
  return written(milliseconds - 3 * HOUR)
}

/**
 * Adds calendar days to a full-date; a negative count goes back. It stops at 9999-12-31, the last date of RFC 3339,
 * because the contract sets no limit to expiration_days.
 *
 * RFC 3339, 5.6, full-date.
 */
export function addDays(day: string, count: number): string {
  return written(Math.min(Date.parse(day) + count * DAY, LAST))
}

/** The calendar days from one full-date to another; negative if the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY
}

function written(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

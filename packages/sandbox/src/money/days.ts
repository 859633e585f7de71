const HOUR = 3_600_000
const DAY = 24 * HOUR
const LAST = Date.parse('9999-12-31')

/**
 * The day in Brazil's official time at a moment in milliseconds since 1970, as a full-date.
 *
 * The offset is fixed: Brasília has kept UTC-3 all year since Decreto 9.772/2019 ended its summer time. So it takes no
 * time zone data of the machine; a test compares it with theirs, and fails should a summer time come back.
 *
 * @throws {RangeError} for a moment that no `Date` can hold.
 *
 * @example
 * dayOf(Date.parse('2026-12-15T02:59:59Z')) // '2026-12-14'
 */
export function dayOf(milliseconds: number): string {
  return written(milliseconds - 3 * HOUR)
}

/**
 * The full-date so many calendar days later, or earlier where the count is negative. It stops at 9999-12-31, the last
 * that RFC 3339 can write, because the contract sets no limit to expiration_days.
 *
 * RFC 3339, 5.6, full-date.
 *
 * @example
 * addDays('2026-12-31', 1) // '2027-01-01'
 */
export function addDays(day: string, count: number): string {
  return written(Math.min(Date.parse(day) + count * DAY, LAST))
}

/**
 * The calendar days from one full-date to another; negative where the other is earlier.
 *
 * @example
 * daysBetween('2026-12-15', '2026-12-17') // 2
 */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY
}

function written(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

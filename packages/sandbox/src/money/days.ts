const HOUR = 3_600_000
const DAY = 24 * HOUR
const LAST = Date.parse('9999-12-31')

/**
 * The full-date in Brazil's official time at a moment in milliseconds since 1970.
 *
 * The offset is fixed: Brasília uses UTC-3 all year since Decreto 9.772/2019 ended its summer time.
 * So this needs no time zone data. A test compares it with that data, and fails if a summer time
 * returns.
 *
 * @throws {RangeError} if the moment is outside the range of `Date`.
 */
export function dayOf(milliseconds: number): string {
  return written(milliseconds - 3 * HOUR)
}

/**
 * Adds calendar days to a full-date; a negative count goes back. It stops at 9999-12-31, the last
 * date of RFC 3339, because the contract sets no limit to expiration_days.
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

// A Monday before any full-date, from which whole weeks are counted.
const MONDAY = '-000001-12-27'

/**
 * Whether banks are open on a full-date: Monday to Friday, except the days of {@link holidaysOf}.
 *
 * Resolução CMN 4.880/2020.
 */
export function isBusinessDay(day: string): boolean {
  return isWeekday(day) && !holidaysOf(yearOf(day)).has(day)
}

/**
 * The full-date itself if it is a business day, else the next business day. A due date on a weekend
 * or holiday moves there.
 */
export function nextBusinessDay(day: string): string {
  return isBusinessDay(day) ? day : nextBusinessDay(addDays(day, 1))
}

/**
 * The number of business days after `from`, up to and including `to`; 0 if `to` is not later. It
 * counts weeks and years instead of days, because a due date may lie in the year 9999.
 */
export function businessDaysBetween(from: string, to: string): number {
  if (to <= from) return 0
  return weekdaysUntil(to) - weekdaysUntil(from) - weekdayHolidays(from, to)
}

/**
 * The last full-date on which a charge can be paid: expiration_days calendar days after the due
 * date, where each of the two moves to a business day.
 *
 * Pix API 2.9.0, `CobDataDeVencimento`, `validadeAposVencimento`, whose examples count from the
 * moved due date.
 */
export function payableUntil(dueDate: string, expirationDays: number): string {
  return nextBusinessDay(addDays(nextBusinessDay(dueDate), expirationDays))
}

function weekdaysUntil(day: string): number {
  const days = daysBetween(MONDAY, day) + 1
  return Math.floor(days / 7) * 5 + Math.min(days % 7, 5)
}

function weekdayHolidays(from: string, to: string): number {
  let count = 0
  for (let year = yearOf(from); year <= yearOf(to); year += 1)
    for (const day of holidaysOf(year)) if (from < day && day <= to && isWeekday(day)) count += 1
  return count
}

function isWeekday(day: string): boolean {
  return daysBetween(MONDAY, day) % 7 < 5
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4))
}

const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25']
const CONSCIENCIA_NEGRA = '11-20'
// Carnival Monday and Tuesday, Good Friday, Corpus Christi.
const DAYS_FROM_EASTER = [-48, -47, -2, 60]

/**
 * The days of a year on which banks are closed in all of Brazil, as full-dates: the national
 * holidays of current legislation (20 November from 2024 on), Carnival Monday and Tuesday, Good
 * Friday and Corpus Christi. Municipal holidays are not included.
 *
 * Leis 662/1949, 6.802/1980 and 14.759/2023; Resolução CMN 4.880/2020 for those that move with
 * Easter.
 */
export function holidaysOf(year: number): ReadonlySet<string> {
  // A full-date has a year of four digits, so the cache holds at most ten thousand years.
  const days = known.get(year) ?? new Set([...fixed(year), ...movable(year)])
  known.set(year, days)
  return days
}

const known = new Map<number, ReadonlySet<string>>()

function fixed(year: number): string[] {
  const all = year < 2024 ? FIXED : [...FIXED, CONSCIENCIA_NEGRA]
  return all.map((day) => fullDate(year, day))
}

function movable(year: number): string[] {
  const easter = addDays(fullDate(year, '03-21'), daysToEaster(year))
  return DAYS_FROM_EASTER.map((days) => addDays(easter, days))
}

/** Days from 21 March to Easter Sunday, by Meeus's form of the Gregorian computus. */
function daysToEaster(year: number): number {
  const century = Math.floor(year / 100)
  const leapCenturies = Math.floor(century / 4)
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const golden = year % 19
  const fullMoon = (19 * golden + century - leapCenturies - moonShift + 15) % 30
  const leapYears = Math.floor((year % 100) / 4)
  const toSunday = (32 + 2 * (century % 4) + 2 * leapYears - fullMoon - (year % 4)) % 7
  const late = Math.floor((golden + 11 * fullMoon + 22 * toSunday) / 451)
  return fullMoon + toSunday + 1 - 7 * late
}

function fullDate(year: number, monthDay: string): string {
  return `${String(year).padStart(4, '0')}-${monthDay}`
}

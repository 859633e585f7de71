const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The last full-date. */
const LAST_DAY = Date.parse('9999-12-31')

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
  return formatDay(milliseconds - 3 * HOUR_MS)
}

/**
 * Adds calendar days to a full-date; a negative count goes back. It stops at 9999-12-31, the last
 * date of RFC 3339, because the contract sets no limit to expiration_days.
 *
 * RFC 3339, 5.6, full-date.
 */
export function addDays(day: string, count: number): string {
  return formatDay(Math.min(Date.parse(day) + count * DAY_MS, LAST_DAY))
}

/** The calendar days from one full-date to another; negative if the other is earlier. */
export function countCalendarDays(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

/** The full-date in UTC. */
function formatDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

// A Monday before any full-date, from which whole weeks are counted.
const MONDAY = '-000001-12-27'

/**
 * Whether banks are open on a full-date: Monday to Friday, except the days of {@link listHolidays}.
 *
 * Resolução CMN 4.880/2020.
 */
export function isBusinessDay(day: string): boolean {
  return isWeekday(day) && !listHolidays(yearOf(day)).has(day)
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
export function countBusinessDays(from: string, to: string): number {
  if (to <= from) return 0
  return countWeekdays(to) - countWeekdays(from) - weekdayHolidays(from, to)
}

/**
 * The last full-date on which a charge can be paid: expiration_days calendar days after the due
 * date, where each of the two moves to a business day.
 *
 * Pix API 2.9.0, `CobDataDeVencimento`, `validadeAposVencimento`, whose examples count from the
 * moved due date.
 */
export function lastPayableDay(dueDate: string, expirationDays: number): string {
  return nextBusinessDay(addDays(nextBusinessDay(dueDate), expirationDays))
}

/** The number of days from Monday to Friday up to and including a day. */
function countWeekdays(day: string): number {
  const days = countCalendarDays(MONDAY, day) + 1
  return Math.floor(days / 7) * 5 + Math.min(days % 7, 5)
}

/**
 * Counts the holidays from Monday to Friday after `from`, up to and including `to`. Both are
 * full-dates such as 2026-12-25, which sort as text.
 */
function weekdayHolidays(from: string, to: string): number {
  let count = 0
  for (let year = yearOf(from); year <= yearOf(to); year += 1) {
    for (const day of listHolidays(year)) {
      const isBetween = from < day && day <= to
      if (isBetween && isWeekday(day)) count += 1
    }
  }
  return count
}

function isWeekday(day: string): boolean {
  return countCalendarDays(MONDAY, day) % 7 < 5
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4))
}

/** A day on which banks are closed in all of Brazil. */
export interface BankHoliday {
  /** A full-date, such as `2026-12-25`. */
  readonly day: string
  readonly name: string
}

/** Holidays by month and day. */
const FIXED = [
  { monthDay: '01-01', name: 'Confraternização Universal' },
  { monthDay: '04-21', name: 'Tiradentes' },
  { monthDay: '05-01', name: 'Dia do Trabalho' },
  { monthDay: '09-07', name: 'Independência do Brasil' },
  { monthDay: '10-12', name: 'Nossa Senhora Aparecida' },
  { monthDay: '11-02', name: 'Finados' },
  { monthDay: '11-15', name: 'Proclamação da República' },
  { monthDay: '12-25', name: 'Natal' },
]
const CONSCIENCIA_NEGRA = { monthDay: '11-20', name: 'Consciência Negra' }
/** The first year with that holiday (Lei 14.759/2023). */
const CONSCIENCIA_NEGRA_FROM = 2024

const FROM_EASTER = [
  { days: -48, name: 'Carnaval (segunda-feira)' },
  { days: -47, name: 'Carnaval (terça-feira)' },
  { days: -2, name: 'Sexta-feira Santa' },
  { days: 60, name: 'Corpus Christi' },
]

/**
 * The days of a year on which banks are closed in all of Brazil, in order: the national holidays of
 * current legislation (20 November from 2024 on), Carnival Monday and Tuesday, Good Friday and
 * Corpus Christi. Local holidays are not included.
 *
 * Leis 662/1949, 6.802/1980 and 14.759/2023; Resolução CMN 4.880/2020 for those that move with
 * Easter.
 *
 * @example
 * const [newYear] = bankHolidays(2026) // { day: '2026-01-01', name: 'Confraternização Universal' }
 */
export function bankHolidays(year: number): BankHoliday[] {
  const holidays = [...fixedHolidays(year), ...movableHolidays(year)]
  return holidays.sort((one, other) => one.day.localeCompare(other.day))
}

/**
 * The full-dates of the bank holidays of a year, such as 2026-12-25. Each year is computed once.
 */
export function listHolidays(year: number): ReadonlySet<string> {
  const cached = cache.get(year)
  if (cached) return cached

  const days = new Set(bankHolidays(year).map(({ day }) => day))
  cache.set(year, days)
  return days
}

/** A full-date has a year of four digits, so this holds at most ten thousand years. */
const cache = new Map<number, ReadonlySet<string>>()

function fixedHolidays(year: number): BankHoliday[] {
  const rows = year >= CONSCIENCIA_NEGRA_FROM ? [...FIXED, CONSCIENCIA_NEGRA] : FIXED
  return rows.map(({ monthDay, name }) => ({ day: fullDate(year, monthDay), name }))
}

function movableHolidays(year: number): BankHoliday[] {
  const easter = addDays(fullDate(year, '03-21'), daysToEaster(year))
  return FROM_EASTER.map(({ days, name }) => ({ day: addDays(easter, days), name }))
}

/**
 * The number of days from 21 March to Easter Sunday, by Meeus's form of the Gregorian computus: 15
 * in 2026, when Easter is on 5 April.
 */
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

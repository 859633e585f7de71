import { addDays, daysBetween } from './days.ts'
import { holidaysOf } from './holidays.ts'

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
 * The full-date itself if it is a business day, else the next business day. A due date on a weekend or holiday moves
 * there.
 */
export function nextBusinessDay(day: string): string {
  return isBusinessDay(day) ? day : nextBusinessDay(addDays(day, 1))
}

/**
 * The number of business days after `from`, up to and including `to`; 0 if `to` is not later. It counts weeks and years
 * instead of days, because a due date may lie in the year 9999.
 */
export function businessDaysBetween(from: string, to: string): number {
  if (to <= from) return 0
  return weekdaysUntil(to) - weekdaysUntil(from) - weekdayHolidays(from, to)
}

/**
 * The last full-date on which a charge can be paid: expiration_days calendar days after the due date, where each of the
 * two moves to a business day.
 *
 * Pix API 2.9.0, `CobDataDeVencimento`, `validadeAposVencimento`, whose examples count from the moved due date.
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

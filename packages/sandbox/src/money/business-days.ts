import { addDays, daysBetween } from './days.ts'
import { holidaysOf } from './holidays.ts'

// A Monday, from which whole weeks are counted, before any full-date.
const MONDAY = '-000001-12-27'

/**
 * Whether banks are open on a full-date: Monday to Friday, but for the holidays of {@link holidaysOf}.
 *
 * Resolução CMN 4.880/2020.
 *
 * @example
 * isBusinessDay('2026-12-25') // false
 */
export function isBusinessDay(day: string): boolean {
  return isWeekday(day) && !holidaysOf(yearOf(day)).has(day)
}

/**
 * The full-date itself where it is a business day, else the first one after it: the day to which a due date that
 * falls on a weekend or holiday moves.
 *
 * @example
 * nextBusinessDay('2026-12-25') // '2026-12-28', after Christmas and a weekend
 */
export function nextBusinessDay(day: string): string {
  return isBusinessDay(day) ? day : nextBusinessDay(addDays(day, 1))
}

/**
 * The business days after one full-date, up to another and with it; 0 where the other is no later.
 * It counts by weeks and years, not day by day, because a due date may lie in the year 9999.
 *
 * @example
 * businessDaysBetween('2026-12-24', '2026-12-28') // 1
 */
export function businessDaysBetween(from: string, to: string): number {
  if (to <= from) return 0
  return weekdaysUntil(to) - weekdaysUntil(from) - weekdayHolidays(from, to)
}

/**
 * The last full-date on which a charge is paid: expiration_days calendar days after the due date, where each of
 * the two moves to a business day.
 *
 * Pix API 2.9.0, `CobDataDeVencimento`, `validadeAposVencimento`, whose examples count from the due date so moved.
 *
 * @example
 * payableUntil('2020-12-25', 4) // '2021-01-04'
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

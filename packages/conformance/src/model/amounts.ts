import { stringAt } from '../contract/json.ts'

/**
 * The centavos of an amount with up to two decimal places, and zeros after them: `'12.5'` is 1250n.
 * Undefined if it has another form.
 */
export function centavosOf(amount: unknown): bigint | undefined {
  if (typeof amount !== 'string') return undefined

  const match = /^(-?)(\d{1,15})(?:\.(\d{1,2})0*)?$/.exec(amount)
  if (!match) return undefined

  const [, sign = '', whole = '', decimals = ''] = match
  return BigInt(sign + whole + decimals.padEnd(2, '0'))
}

/** Reads the amount of the request of a transfer in centavos; undefined if it has none, or in another form. */
export function readSentAmount(exchange: { readonly requestBody: unknown }): bigint | undefined {
  return centavosOf(stringAt(exchange.requestBody, '/amount'))
}

/** Whether a request writes its amount as the contract does: 1.00, and not 01.00, which a service may refuse. */
export function hasPlainAmount(exchange: { readonly requestBody: unknown }): boolean {
  const centavos = readSentAmount(exchange)
  return centavos !== undefined && stringAt(exchange.requestBody, '/amount') === reaisOf(centavos)
}

/** The centavos of a part of a charge. Zero if it is missing, or has another form, which other rules judge. */
function centavosOrZero(amount: string | undefined): bigint {
  return centavosOf(amount) ?? 0n
}

/** An amount as the contract writes it: 0.03 for 3 centavos. */
export function reaisOf(centavos: bigint): string {
  const sign = centavos < 0n ? '-' : ''
  const digits = centavos < 0n ? -centavos : centavos
  const decimals = String(digits % 100n).padStart(2, '0')
  return `${sign}${digits / 100n}.${decimals}`
}

/**
 * A deduction, discount, fine or interest of a due-date charge. A deduction always lowers the amount, a discount
 * until the due date at most; a fine and interest raise it after that date.
 */
export interface Adjustment {
  /** How `amount` counts, by Pix: of a fine, `1` is a value and `2` a percentage. Discount and interest have more. */
  readonly modality: string
  readonly amount?: string
  readonly fixedDateDiscount?: readonly { readonly amount: string; readonly date: string }[]
}

export interface ChargeAmount {
  readonly original: string
  readonly deduction?: Adjustment
  readonly discount?: Adjustment
  readonly fine?: Adjustment
  readonly interest?: Adjustment
}

/** The parts of the amount of a charge in centavos, by the field names of checkCode. */
export type AmountDue = Readonly<
  Record<
    'original_amount' | 'deduction' | 'discount' | 'fine' | 'interest' | 'final_amount',
    bigint
  >
>

/**
 * What a payer owes for a charge on a day, and its parts, in centavos (Manual de Padrões para
 * Iniciação do Pix 2.10.0, annex III, sections 3 and 4). 100.00 with a fine of 2 percent, a day too late:
 * `{ original_amount: 10000n, fine: 200n, final_amount: 10200n, … }`. A part that the charge lacks is 0n.
 *
 * @param due The due date, such as `2026-05-30`.
 * @param day The day of the payment.
 */
export function amountDue(charge: ChargeAmount, due: string, day: string): AmountDue {
  const original = centavosOrZero(charge.original)
  const deduction = computeAdjustment(original, charge.deduction)
  const base = original - deduction

  // A charge that is due on a Sunday is still in time on Monday. Everything counts to, or from, that day.
  const lastDay = nextBusinessDay(due)
  const discount = computeDiscount(base, charge.discount, { due: lastDay, day })
  const fine = day > lastDay ? computeAdjustment(base, charge.fine) : 0n
  const interest = computeInterest(base, charge.interest, { from: lastDay, day })
  return {
    original_amount: original,
    deduction,
    discount,
    fine,
    interest,
    final_amount: base - discount + interest + fine,
  }
}

/**
 * The parts of an overdue amount that the contract leaves open, such as `fine`: no rule may judge them
 * (question `late-days`). If the due date is no business day, nobody knows from which day fine and
 * interest count (bacen/pix-api, issues 167, 297 and 330). If no business day has passed since the
 * due date, nobody knows whether there is a fine.
 */
export function findOpenParts(
  charge: ChargeAmount,
  due: string,
  day: string,
): ReadonlySet<keyof AmountDue> {
  const openParts = new Set<keyof AmountDue>()
  if (day <= due) return openParts

  const isDueDateMoved = !isBusinessDay(due)
  const isBeforeBusinessDay = businessDaysBetween(due, day) === 0
  if (charge.fine && (isDueDateMoved || isBeforeBusinessDay)) openParts.add('fine')
  if (charge.interest && isDueDateMoved) openParts.add('interest')

  // The total has all parts in it.
  if (openParts.size > 0) openParts.add('final_amount')
  return openParts
}

/**
 * Whether deduction and discount take away the whole amount of a charge on some day since its creation, such as
 * 60.00 and 40.00 of 100.00. Only the days with the highest discount are tried: the day of creation, since a
 * discount by day shrinks from then on, and the last day of each date that a discount names.
 */
export function leavesNothing(charge: ChargeAmount, due: string, createdOn: string): boolean {
  const dates = charge.discount?.fixedDateDiscount ?? []
  const lastDays = dates.map(({ date }) => nextBusinessDay(date))
  const days = [createdOn, ...lastDays.filter((day) => day > createdOn)]
  for (const day of days) {
    const { original_amount, deduction, discount } = amountDue(charge, due, day)
    if (deduction + discount >= original_amount) return true
  }
  return false
}

/** 100 percent, in the unit in which `centavosOf` reads a percentage with two decimals. */
export const WHOLE_PERCENTAGE = 10_000n

/** A percentage of an amount, truncated to centavos. */
function takePercentage(amount: bigint, hundredthsOfPercent: bigint): bigint {
  return (amount * hundredthsOfPercent) / WHOLE_PERCENTAGE
}

/**
 * A deduction or a fine on a base, in centavos. Modality 1 is a value, and 2 a percentage, which is
 * truncated to centavos.
 */
function computeAdjustment(base: bigint, adjustment: Adjustment | undefined): bigint {
  const value = centavosOrZero(adjustment?.amount)
  const isPercentage = adjustment?.modality === '2'
  return isPercentage ? takePercentage(base, value) : value
}

interface DueOn {
  /** The due date of the charge, or the business day that it moves to. */
  readonly due: string
  /** The day on which it is paid. */
  readonly day: string
}

/**
 * The discount on a base amount, in centavos. Modalities 1 and 2 hold until a date, as a value or as a
 * percentage. Modalities 3 to 6 count for each day before the due date: 3 and 4 as a value, 5 and 6
 * as a percentage. So modality 3 with an amount of `0.50` gives 100n two days before.
 */
function computeDiscount(
  base: bigint,
  discount: Adjustment | undefined,
  { due, day }: DueOn,
): bigint {
  if (!discount) return 0n

  const { modality } = discount
  if (modality === '1' || modality === '2') {
    const amount = amountUntilDate(discount, day)
    return computeAdjustment(base, { modality, amount })
  }

  // 3 and 5 count all days, 4 and 6 business days.
  const countsAllDays = modality === '3' || modality === '5'
  const days = countsAllDays ? daysBetween(day, due) : businessDaysBetween(day, due)
  // In centavos, or in hundredths of a percent.
  const amountOfAllDays = centavosOrZero(discount.amount) * BigInt(days)
  const isValue = modality === '3' || modality === '4'
  return isValue ? amountOfAllDays : takePercentage(base, amountOfAllDays)
}

/** The amount of the first date of a discount that is not over. */
function amountUntilDate({ fixedDateDiscount: dates = [] }: Adjustment, day: string): string {
  const open = dates.filter(({ date }) => day <= nextBusinessDay(date))
  const [first] = open.toSorted((a, b) => a.date.localeCompare(b.date))
  return first?.amount ?? '0'
}

/**
 * Days of the period of a rate of interest, by modality: 1 of a rate per day, 30 per month, 360 per year, and of
 * business days 1, 21 and 252. None where interest is a value for each day (1 and 5).
 */
const PERIODS: Readonly<Record<string, bigint | undefined>> = {
  2: 1n,
  3: 30n,
  4: 360n,
  6: 1n,
  7: 21n,
  8: 252n,
}

/**
 * The interest on a base amount for the days after `from`, in centavos. 3 percent per month (modality 3) on 100.00
 * give 10n a day. A rate is truncated to six places before it is applied. Zero without interest.
 */
function computeInterest(
  base: bigint,
  interest: Adjustment | undefined,
  { from, day }: { readonly from: string; readonly day: string },
): bigint {
  if (!interest) return 0n

  // Modalities 1 to 4 count all days, 5 to 8 business days.
  const countsAllDays = Number(interest.modality) <= 4
  const days = countsAllDays ? daysBetween(from, day) : businessDaysBetween(from, day)
  // In centavos, or in hundredths of a percent.
  const amountOfAllDays = centavosOrZero(interest.amount) * BigInt(days)

  const period = PERIODS[interest.modality]
  const isValuePerDay = period === undefined
  if (isValuePerDay) return amountOfAllDays

  // 1.50 percent are 150n, and so 15,000 millionths.
  const millionths = (amountOfAllDays * 100n) / period
  return (base * millionths) / 1_000_000n
}

/**
 * The last day on which a charge can be paid: each of the two dates moves to a business day (Pix
 * API 2.9.0).
 */
export function payableUntil(due: string, expirationDays: number): string {
  return nextBusinessDay(addDays(nextBusinessDay(due), expirationDays))
}

/** Days are calculated from 1900 to 2099, for which Easter is. A service may accept any day. */
const FIRST_YEAR = '1900'
const END_YEAR = '2100'

/** Whether a text is a day with which amounts and business days can be calculated. */
export function isCalculableDay(text: string): boolean {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  return isDay && text >= FIRST_YEAR && text < END_YEAR
}

const DAY_MS = 86_400_000
/** Brazil's time is three hours behind UTC. */
const BEHIND_UTC_MS = 3 * 3_600_000

/** The date in Brazil at a time in milliseconds since 1970. */
export function dayAt(time: number): string {
  return new Date(time - BEHIND_UTC_MS).toISOString().slice(0, 10)
}

/** The date some days later: `2026-05-30` and 2 give `2026-06-01`. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
}

/** Days from one date to another: 2 from `2026-05-30` to `2026-06-01`. Zero if the second one is not later. */
function daysBetween(from: string, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** Business days after one date up to another: from a Friday to the Monday after it, 1. */
function businessDaysBetween(from: string, to: string): number {
  const length = daysBetween(from, to)
  let count = 0
  for (let i = 1; i <= length; i++) {
    const day = addDays(from, i)
    if (isBusinessDay(day)) count++
  }
  return count
}

/**
 * The day itself if it is a business day, else the next one: a Saturday gives Monday. The day itself also if it
 * is none that can be calculated, such as the date of a discount in 9999.
 */
function nextBusinessDay(day: string): string {
  let next = day
  while (isCalculableDay(next) && !isBusinessDay(next)) next = addDays(next, 1)
  return next
}

/** Holidays of a fixed date, by month and day. */
const HOLIDAYS = new Set([
  '01-01', // New Year
  '04-21', // Tiradentes
  '05-01', // Labour Day
  '09-07', // Independence
  '10-12', // Our Lady of Aparecida
  '11-02', // All Souls' Day
  '11-15', // Proclamation of the Republic
  '12-25', // Christmas
])
const BLACK_AWARENESS = '11-20'
/** The first year with that holiday (Lei 14.759/2023). */
const BLACK_AWARENESS_FROM = 2024
/** Carnival, Good Friday and Corpus Christi, in days from Easter. */
const MOVABLE = [-48, -47, -2, 60]

/**
 * Whether a day, such as `2026-05-29`, is one from Monday to Friday, and no holiday of the nation or of
 * the banks (Resolução CMN 4.880/2020).
 */
function isBusinessDay(day: string): boolean {
  const weekday = new Date(day).getUTCDay()
  const isWeekend = weekday === 0 || weekday === 6
  const year = Number(day.slice(0, 4))
  const monthAndDay = day.slice(5)
  if (isWeekend || HOLIDAYS.has(monthAndDay)) return false
  if (monthAndDay === BLACK_AWARENESS && year >= BLACK_AWARENESS_FROM) return false

  return !listMovableHolidays(year).has(day)
}

/** The movable holidays of each year that was asked for, since many days of one year are. */
const movableHolidays = new Map<number, ReadonlySet<string>>()

/** The movable holidays of a year: of 2026, `2026-02-16`, `2026-02-17`, `2026-04-03` and `2026-06-04`. */
function listMovableHolidays(year: number): ReadonlySet<string> {
  const known = movableHolidays.get(year)
  if (known) return known

  const easter = computeEaster(year)
  const holidays = new Set(MOVABLE.map((offset) => addDays(easter, offset)))
  movableHolidays.set(year, holidays)
  return holidays
}

/** The date of Easter Sunday in a year, such as `2026-04-05`, by the method of Gauss, which holds from 1900 to 2099. */
function computeEaster(year: number): string {
  const moon = (19 * (year % 19) + 24) % 30
  const sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7
  const days = moon + sunday
  const isLate = (moon === 29 && sunday === 6) || (moon === 28 && sunday === 6 && year % 19 > 10)
  return addDays(`${year}-03-22`, isLate ? days - 7 : days)
}

/**
 * Centavos of an amount with up to two decimal places, and zeros after them; undefined if it has
 * another form.
 */
export function centavosOf(amount: unknown): bigint | undefined {
  const [, sign = '', whole, decimals = ''] =
    /^(-?)(\d{1,15})(?:\.(\d{1,2})0*)?$/.exec(typeof amount === 'string' ? amount : '') ?? []
  return whole === undefined ? undefined : BigInt(sign + whole + decimals.padEnd(2, '0'))
}

/** An amount as the contract writes it: 0.03 for 3 centavos. */
export function reaisOf(centavos: bigint): string {
  const [sign, digits] = centavos < 0n ? ['-', -centavos] : ['', centavos]
  return `${sign}${digits / 100n}.${String(digits % 100n).padStart(2, '0')}`
}

/** A deduction, discount, fine or interest of a due-date charge. */
export interface Adjustment {
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
 * The amount of a charge on a day (Manual de Padrões para Iniciação do Pix 2.10.0, annex III,
 * section 4).
 */
export function amountDue(
  { original, deduction: less, discount: early, fine: once, interest: daily }: ChargeAmount,
  due: string,
  day: string,
): AmountDue {
  const whole = centavosOf(original) ?? 0n
  const deduction = valueOr(whole, less)
  const base = whole - deduction
  const discount = discountOn(base, early, { due, day })
  const from = nextBusinessDay(due)
  const fine = day > from ? valueOr(base, once) : 0n
  const interest = interestOn(base, daily, { from, day })
  const final = base - discount + interest + fine
  return { original_amount: whole, deduction, discount, fine, interest, final_amount: final }
}

/** Modality 1 is a value, 2 a percentage; each part is truncated to centavos. */
function valueOr(base: bigint, { modality, amount }: Adjustment = { modality: '1' }): bigint {
  const value = centavosOf(amount ?? '0') ?? 0n
  return modality === '2' ? (base * value) / 10_000n : value
}

/**
 * Until dates (1 a value, 2 a percentage), or for each day before the due date (3 and 4 a value, 5
 * and 6 a percentage).
 */
function discountOn(
  base: bigint,
  it: Adjustment | undefined,
  { due, day }: { due: string; day: string },
): bigint {
  if (!it) return 0n
  const { modality, amount = '0', fixedDateDiscount: dates = [] } = it
  const open = dates.filter(({ date }) => day <= nextBusinessDay(date))
  const [first] = open.toSorted((a, b) => a.date.localeCompare(b.date))
  if (modality === '1' || modality === '2')
    return valueOr(base, { modality, amount: first?.amount ?? '0' })
  const days =
    modality === '3' || modality === '5' ? daysBetween(day, due) : businessDaysBetween(day, due)
  const rate = (centavosOf(amount) ?? 0n) * BigInt(days)
  return modality === '3' || modality === '4' ? rate : (base * rate) / 10_000n
}

/**
 * Days of the period of a rate; none where interest is a value for each day. From modality 5 on
 * business days count.
 */
const PERIODS: Readonly<Record<string, bigint | undefined>> = {
  2: 1n,
  3: 30n,
  4: 360n,
  6: 1n,
  7: 21n,
  8: 252n,
}

/** A rate is truncated to six places before it meets the base. */
function interestOn(
  base: bigint,
  it: Adjustment | undefined,
  { from, day }: { from: string; day: string },
): bigint {
  if (!it) return 0n
  const count = Number(it.modality) <= 4 ? daysBetween : businessDaysBetween
  const rate = (centavosOf(it.amount ?? '0') ?? 0n) * BigInt(count(from, day))
  const period = PERIODS[it.modality]
  return period === undefined ? rate : (base * ((rate * 100n) / period)) / 1_000_000n
}

/**
 * The last day on which a charge can be paid: each of the two dates moves to a business day (Pix
 * API 2.9.0).
 */
export function payableUntil(due: string, expirationDays: number): string {
  return nextBusinessDay(addDays(nextBusinessDay(due), expirationDays))
}

const DAY = 86_400_000
const UTC_OFFSET = 3 * 3_600_000

/** The date in Brazil at a time in milliseconds since 1970. */
export function dayAt(time: number): string {
  return new Date(time - UTC_OFFSET).toISOString().slice(0, 10)
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10)
}

function daysBetween(from: string, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / DAY)
}

function businessDaysBetween(from: string, to: string): number {
  return Array.from({ length: daysBetween(from, to) }, (_, i) => addDays(from, i + 1)).filter(
    isBusinessDay,
  ).length
}

function nextBusinessDay(day: string): string {
  return isBusinessDay(day) ? day : nextBusinessDay(addDays(day, 1))
}

const HOLIDAYS = new Set([
  '01-01',
  '04-21',
  '05-01',
  '09-07',
  '10-12',
  '11-02',
  '11-15',
  '11-20',
  '12-25',
])
/** Carnival, Good Friday and Corpus Christi, in days from Easter. */
const MOVABLE = [-48, -47, -2, 60]

/** Monday to Friday, but for national holidays and those of banks (Resolução CMN 4.880/2020). */
function isBusinessDay(day: string): boolean {
  const weekday = new Date(day).getUTCDay()
  const easter = easterOf(Number(day.slice(0, 4)))
  return (
    ![0, 6].includes(weekday) &&
    !HOLIDAYS.has(day.slice(5)) &&
    !MOVABLE.some((it) => addDays(easter, it) === day)
  )
}

/** By the method of Gauss, which holds from 1900 to 2099. */
function easterOf(year: number): string {
  const moon = (19 * (year % 19) + 24) % 30
  const sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7
  const days = moon + sunday
  const isLate = (moon === 29 && sunday === 6) || (moon === 28 && sunday === 6 && year % 19 > 10)
  return addDays(`${year}-03-22`, isLate ? days - 7 : days)
}

import { type BrCode, type BrCodeFields, crc16, encode, tryDecode } from '@partner-payments/brcode'
import { type Adjustment, addDays, type ChargeAmount } from '../model/amounts.ts'

/** A due-date charge, and the moments at which its amount changes or may not change yet. */
export interface ChargeRow {
  readonly amount: ChargeAmount
  readonly due: string
  /** Days after the due date on which it can be paid. */
  readonly days: number
  readonly moments: readonly number[]
}

/**
 * Days after a Monday, and the minutes of the day in Brazil: before, on and after each date, and
 * around midnight.
 */
export const MOMENTS = [
  { day: 1, minute: 12 * 60 },
  { day: 2, minute: 24 * 60 - 2 },
  { day: 3, minute: 1 },
  { day: 4, minute: 24 * 60 - 2 },
  { day: 5, minute: 1 },
  { day: 7, minute: 24 * 60 - 2 },
  { day: 8, minute: 1 },
  { day: 15, minute: 12 * 60 },
] as const

/**
 * The charges that are created today. Their dates are in the week of a Monday that is still to
 * come.
 */
export function chargeRows(today: string, monday: string): ChargeRow[] {
  return [
    ...deductionRows(monday),
    ...todaysRows(today),
    ...fineRows(monday),
    ...interestRows(monday),
    ...dateDiscountRows(today, monday),
    ...DAILY_DISCOUNTS.map((modality) => dailyDiscountRow(monday, modality)),
    ...movedDiscountRows(monday),
    ...INTEREST.map((interest) => interestRow(monday, interest)),
  ]
}

function deductionRows(monday: string): ChargeRow[] {
  const { wednesday, friday } = daysOf(monday)
  return [
    row(wednesday, {}, 2),
    row(wednesday, { deduction: of('10.00', VALUE) }),
    row(wednesday, { original: '123.45', deduction: of('10.00', PERCENTAGE) }),
    // Half a centavo and more, which rounding would make a whole one.
    row(friday, { original: '123.49', deduction: of('10.00', PERCENTAGE) }),
  ]
}

function todaysRows(today: string): ChargeRow[] {
  return [
    row(today, { fine: of('2.00', VALUE), interest: of('1.00', VALUE) }, 0),
    row(today, { discount: until(VALUE, { amount: '5.00', date: today }) }, 0),
  ]
}

function fineRows(monday: string): ChargeRow[] {
  const { wednesday, saturday } = daysOf(monday)
  const fine = of('2.00', VALUE)
  return [
    row(wednesday, { fine }, 1, 2),
    row(saturday, { fine }, 4, 5, 6),
    // On the last day: a Tuesday, as the due date is moved to the Monday.
    { ...row(saturday, {}, 6), days: 1 },
  ]
}

function interestRows(monday: string): ChargeRow[] {
  const { wednesday, saturday } = daysOf(monday)
  const interest = of('1.00', VALUE)
  return [row(wednesday, { interest }, 1, 2, 7), row(saturday, { interest }, 4, 5, 6, 7)]
}

/** Discounts that hold until a date. */
function dateDiscountRows(today: string, monday: string): ChargeRow[] {
  const { wednesday, friday, saturday, nextFriday } = daysOf(monday)
  const small = (date: string) => ({ amount: '5.00', date })
  const large = (date: string) => ({ amount: '20.00', date })
  const tenPercent = (date: string) => until(PERCENTAGE, { amount: '10.00', date })
  const past = addDays(today, -10)
  return [
    row(saturday, { discount: until(VALUE, small(friday), large(wednesday)) }, 1, 2, 3, 4),
    row(nextFriday, { discount: until(VALUE, small(saturday)) }, 4, 5, 6),
    row(friday, { discount: until(VALUE, large(past), small(friday)) }, 3, 4),
    row(friday, { original: '123.45', discount: tenPercent(wednesday) }, 1, 2),
    row(friday, { deduction: of('10.00', VALUE), discount: tenPercent(friday) }, 3),
  ]
}

/** The modality of an amount, and that of a percentage. */
const VALUE = '1'
const PERCENTAGE = '2'

/** The modalities of a discount for each day: values, then percentages. */
const DAILY_DISCOUNTS = ['3', '4', '5', '6']

function dailyDiscountRow(monday: string, modality: string): ChargeRow {
  const { nextFriday } = daysOf(monday)
  return row(nextFriday, { original: '123.45', discount: of('1.00', modality) }, 0, 4, 6)
}

/** Days that count to the Monday after the due date: all days, and business days. */
function movedDiscountRows(monday: string): ChargeRow[] {
  const { saturday } = daysOf(monday)
  return ['3', '6'].map((modality) =>
    row(saturday, { original: '123.45', discount: of('1.00', modality) }, 0, 4, 5),
  )
}

/** By the day, month and year: in calendar days and in business days. */
const INTEREST: readonly Adjustment[] = [
  of('1.00', '1'),
  of('1.00', '2'),
  of('3.00', '3'),
  of('12.00', '4'),
  of('1.00', '5'),
  of('1.00', '6'),
  of('3.00', '7'),
  of('12.00', '8'),
]

function interestRow(monday: string, interest: Adjustment): ChargeRow {
  const { friday } = daysOf(monday)
  // Interest that is a value goes with a fine that is one.
  const isValue = interest.modality === '1' || interest.modality === '5'
  const amount = {
    original: '1000.99',
    deduction: of('100.00', VALUE),
    fine: of('2.00', isValue ? VALUE : PERCENTAGE),
    interest,
  }
  return row(friday, amount, 3, 4, 6, 7)
}

/** Days of the week of a Monday, and of the next one. */
function daysOf(monday: string) {
  return {
    wednesday: addDays(monday, 2),
    friday: addDays(monday, 4),
    saturday: addDays(monday, 5),
    nextFriday: addDays(monday, 11),
  }
}

/** @param moments Indexes of the moments at which it is checked. */
function row(due: string, amount: Partial<ChargeAmount>, ...moments: number[]): ChargeRow {
  return { due, days: 30, amount: { original: '100.00', ...amount }, moments }
}

function of(amount: string, modality: string): Adjustment {
  return { amount, modality }
}

function until(
  modality: string,
  ...fixedDateDiscount: readonly { readonly amount: string; readonly date: string }[]
): Adjustment {
  return { modality, fixedDateDiscount }
}

/** Edits of a payment code after which it cannot be decoded. */
export function invalidCodes(code: string): string[] {
  const open = code.slice(0, -4)
  return [
    // A wrong checksum, that of another code, and none.
    open + (code.endsWith('0000') ? '0001' : '0000'),
    code.replace('5802BR', '5802US'),
    code.slice(0, -8),
    // Cut off, with a wrong length, and with an object twice.
    code.slice(0, 30),
    summed(open.replace('5802BR', '5803BR')),
    summed(`${code.slice(0, -8)}5802BR6304`),
    'not a payment code',
  ]
}

/** Other ways to write a static code (Manual de Padrões para Iniciação do Pix, section 2). */
export function sameCodes(code: string): string[] {
  const open = code.slice(0, -4)
  const codes = [
    summed(open.replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX')),
    summed(open.replace(/(?<=^000201(?:0102\d\d)?)26/, '27')),
    // The objects after the first may come in any order.
    summed(open.replace(/^(000201)(.*)(5802BR)/, '$1$3$2')),
  ]
  const accented = withAccents(code)
  if (accented !== undefined) codes.push(accented)
  return codes
}

/** A static code with accents in its texts. Lengths count characters, so that they change none. */
function withAccents(code: string): string | undefined {
  const plain = withStatic(code, (fields) => ({
    ...fields,
    merchantName: 'Sao Joao',
    merchantCity: 'BRASILIA',
  }))
  if (plain === undefined) return undefined
  const open = plain.slice(0, -4)
  return summed(open.replace('Sao Joao', 'São João').replace('BRASILIA', 'BRASÍLIA'))
}

/** A static code that leaves the amount to the payer. */
export function withoutAmount(code: string): string | undefined {
  return withStatic(code, ({ amount: _, ...rest }) => rest)
}

/** A static code with another key, which need not be one. */
export function withKey(code: string, key: string): string | undefined {
  return withStatic(code, (fields) => ({ ...fields, key }), 'lenient')
}

type StaticCode = Omit<Extract<BrCode, { kind: 'static' }>, 'objects'>

function withStatic(
  code: string,
  edit: (fields: StaticCode) => BrCodeFields,
  profile: 'strict' | 'lenient' = 'strict',
): string | undefined {
  const decoded = tryDecode(code)
  if (!decoded.ok || decoded.code.kind !== 'static') return undefined
  const { objects: _, ...fields } = decoded.code
  return encode(edit(fields), { profile })
}

/** Appends the checksum. */
function summed(body: string): string {
  return body + crc16(body).toString(16).toUpperCase().padStart(4, '0')
}

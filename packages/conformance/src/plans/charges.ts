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
  const day = (days: number) => addDays(monday, days)
  const [wednesday, friday, saturday, nextFriday] = [day(2), day(4), day(5), day(11)]
  const past = addDays(today, -10)
  const [fine, interest, deduction] = [of('2.00', '1'), of('1.00', '1'), of('10.00', '1')]
  return [
    row(wednesday, {}, 2),
    row(wednesday, { deduction }),
    row(wednesday, { original: '123.45', deduction: of('10.00', '2') }),
    // Half a centavo and more, which rounding would make a whole one.
    row(friday, { original: '123.49', deduction: of('10.00', '2') }),
    row(today, { fine, interest }, 0),
    row(today, { discount: until('1', ['5.00', today]) }, 0),
    row(wednesday, { fine }, 1, 2),
    row(saturday, { fine }, 4, 5, 6),
    // On the last day: a Tuesday, as the due date is moved to the Monday.
    { ...row(saturday, {}, 6), days: 1 },
    row(wednesday, { interest }, 1, 2, 7),
    row(saturday, { interest }, 4, 5, 6, 7),
    row(saturday, { discount: until('1', ['5.00', friday], ['20.00', wednesday]) }, 1, 2, 3, 4),
    row(nextFriday, { discount: until('1', ['5.00', saturday]) }, 4, 5, 6),
    row(friday, { discount: until('1', ['20.00', past], ['5.00', friday]) }, 3, 4),
    row(friday, { original: '123.45', discount: until('2', ['10.00', wednesday]) }, 1, 2),
    row(friday, { deduction, discount: until('2', ['10.00', friday]) }, 3),
    ...['3', '4', '5', '6'].map((it) =>
      row(nextFriday, { original: '123.45', discount: of('1.00', it) }, 0, 4, 6),
    ),
    ...INTEREST.map(([modality, amount]) =>
      row(
        friday,
        {
          original: '1000.99',
          deduction: of('100.00', '1'),
          fine: of('2.00', modality === '1' || modality === '5' ? '1' : '2'),
          interest: of(amount, modality),
        },
        ...[3, 4, 6, 7],
      ),
    ),
  ]
}

/** By the day, month and year: in calendar days and in business days. */
const INTEREST = [
  ['1', '1.00'],
  ['2', '1.00'],
  ['3', '3.00'],
  ['4', '12.00'],
  ['5', '1.00'],
  ['6', '1.00'],
  ['7', '3.00'],
  ['8', '12.00'],
] as const

function row(due: string, amount: Partial<ChargeAmount>, ...moments: number[]): ChargeRow {
  return { due, days: 30, amount: { original: '100.00', ...amount }, moments }
}

function of(amount: string, modality: string): Adjustment {
  return { amount, modality }
}

function until(
  modality: string,
  ...dates: readonly (readonly [amount: string, date: string])[]
): Adjustment {
  return { modality, fixedDateDiscount: dates.map(([amount, date]) => ({ amount, date })) }
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
  const plain = withStatic(code, (it) => ({
    ...it,
    merchantName: 'Sao Joao',
    merchantCity: 'BRASILIA',
  }))
  // Lengths count characters, so that accents change none.
  const accents = plain
    ?.slice(0, -4)
    .replace('Sao Joao', 'São João')
    .replace('BRASILIA', 'BRASÍLIA')
  return [
    summed(open.replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX')),
    summed(open.replace(/(?<=^000201(?:0102\d\d)?)26/, '27')),
    // The objects after the first may come in any order.
    summed(open.replace(/^(000201)(.*)(5802BR)/, '$1$3$2')),
    ...(accents === undefined ? [] : [summed(accents)]),
  ]
}

/** A static code that leaves the amount to the payer. */
export function withoutAmount(code: string): string | undefined {
  return withStatic(code, ({ amount: _, ...rest }) => rest)
}

type StaticCode = Omit<Extract<BrCode, { kind: 'static' }>, 'objects'>

function withStatic(code: string, edit: (fields: StaticCode) => BrCodeFields): string | undefined {
  const decoded = tryDecode(code)
  if (!decoded.ok || decoded.code.kind !== 'static') return undefined
  const { objects: _, ...fields } = decoded.code
  return encode(edit(fields))
}

/** Appends the checksum. */
function summed(body: string): string {
  return body + crc16(body).toString(16).toUpperCase().padStart(4, '0')
}

import { type Adjustment, addDays, type ChargeAmount } from '../model/amounts.ts'

/** A due-date charge, and the moments at which its amount changes or may not change yet. */
export interface ChargeRow {
  readonly amount: ChargeAmount
  readonly due: string
  readonly moments: readonly number[]
}

/** Days after a Monday, and the minutes of the day in Brazil: before, on and after each date, and around midnight. */
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

/** The charges that are created today. Their dates are in the week of a Monday that is still to come. */
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
  return { due, amount: { original: '100.00', ...amount }, moments }
}

function of(amount: string, modality: string): Adjustment {
  return { amount, modality }
}

function until(modality: string, ...dates: readonly (readonly [amount: string, date: string])[]): Adjustment {
  return { modality, fixedDateDiscount: dates.map(([amount, date]) => ({ amount, date })) }
}

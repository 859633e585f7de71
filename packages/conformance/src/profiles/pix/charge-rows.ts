import { type Adjustment, addDays, type ChargeAmount } from './amount-due.ts'

/** A due-date charge. */
export interface ChargeRow {
  readonly words: string
  readonly amount: ChargeAmount
  readonly due: string
}

/** The charges that are created today. Their dates are in the week of a Monday that is still to come. */
export function chargeRows(today: string, monday: string): ChargeRow[] {
  const [wednesday, friday, saturday, nextFriday] = [2, 4, 5, 11].map((it) => addDays(monday, it)) as [
    string,
    string,
    string,
    string,
  ]
  const past = addDays(today, -10)
  const [fine, interest, deduction] = [of('2.00', '1'), of('1.00', '1'), of('10.00', '1')]
  return [
    row('no adjustment', wednesday, {}),
    row('a fixed deduction', wednesday, { deduction }),
    row('a deduction of percent', wednesday, { original: '123.45', deduction: of('10.00', '2') }),
    // Half a centavo and more, which rounding would make a whole one.
    row('a deduction of percent that ends in a fraction', friday, {
      original: '123.49',
      deduction: of('10.00', '2'),
    }),
    row('a fine and interest, due today', today, { fine, interest }),
    row('a discount until today', today, { discount: until('1', ['5.00', today]) }),
    row('a fine, due on a Wednesday', wednesday, { fine }),
    row('a fine, due on a Saturday', saturday, { fine }),
    row('interest, due on a Wednesday', wednesday, { interest }),
    row('interest, due on a Saturday', saturday, { interest }),
    row('a discount until two dates', saturday, {
      discount: until('1', ['5.00', friday], ['20.00', wednesday]),
    }),
    row('a discount until a Saturday', nextFriday, { discount: until('1', ['5.00', saturday]) }),
    row('a discount whose date has passed', friday, {
      discount: until('1', ['20.00', past], ['5.00', friday]),
    }),
    row('a discount of percent until a date', friday, {
      original: '123.45',
      discount: until('2', ['10.00', wednesday]),
    }),
    row('a discount of percent after a deduction', friday, {
      deduction,
      discount: until('2', ['10.00', friday]),
    }),
    ...['3', '4', '5', '6'].map((it) =>
      row(`a discount by the day, modality ${it}`, nextFriday, {
        original: '123.45',
        discount: of('1.00', it),
      }),
    ),
    ...INTEREST.map(([modality, amount]) =>
      row(`interest of modality ${modality} after a deduction`, friday, {
        original: '1000.99',
        deduction: of('100.00', '1'),
        fine: of('2.00', modality === '1' || modality === '5' ? '1' : '2'),
        interest: of(amount, modality),
      }),
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

function row(words: string, due: string, amount: Partial<ChargeAmount>): ChargeRow {
  return { words, due, amount: { original: '100.00', ...amount } }
}

function of(amount: string, modality: string): Adjustment {
  return { amount, modality }
}

function until(modality: string, ...dates: readonly (readonly [amount: string, date: string])[]): Adjustment {
  return { modality, fixedDateDiscount: dates.map(([amount, date]) => ({ amount, date })) }
}

/** Days after the Monday, and the minutes of the day in Brazil: before, on and after each date, and around midnight. */
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

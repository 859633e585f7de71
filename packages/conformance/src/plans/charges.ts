import { type Adjustment, addDays, type ChargeAmount } from '../model/amounts.ts'

/** A due-date charge, and when it is checked: before and after its amount changes. */
export interface ChargeRow {
  readonly amount: ChargeAmount
  readonly due: string
  /** Days after the due date on which it can be paid. */
  readonly days: number
  /** Indexes of MOMENTS. */
  readonly moments: readonly number[]
}

/**
 * The times at which charges are checked: days after a Monday, and minutes of the day in Brazil.
 * Around the dates of the charges they are just before and after midnight.
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

/** The indexes of these moments. */
const [
  TUESDAY_NOON,
  BEFORE_THURSDAY,
  THURSDAY,
  BEFORE_SATURDAY,
  SATURDAY,
  BEFORE_NEXT_TUESDAY,
  NEXT_TUESDAY,
  LAST_TUESDAY_NOON,
] = [0, 1, 2, 3, 4, 5, 6, 7] as const

/**
 * The due-date charges to create today, with each kind of adjustment: deduction, discount, fine and
 * interest. Each row also says at which moments to check what is due. Their dates are in the week of
 * `monday`, which is still to come.
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

/** Charges whose deduction is a value or a percentage, and one without any adjustment. */
function deductionRows(monday: string): ChargeRow[] {
  const { wednesday, friday } = weekDates(monday)
  return [
    chargeRow(wednesday, {}, THURSDAY),
    chargeRow(wednesday, { deduction: adjustment('10.00', VALUE) }),
    chargeRow(wednesday, { original: '123.45', deduction: adjustment('10.00', PERCENTAGE) }),
    // Half a centavo and more, which rounding would make a whole one.
    chargeRow(friday, { original: '123.49', deduction: adjustment('10.00', PERCENTAGE) }),
  ]
}

/** Charges that are due today, with a fine and interest, and with a discount until today. */
function todaysRows(today: string): ChargeRow[] {
  return [
    chargeRow(
      today,
      { fine: adjustment('2.00', VALUE), interest: adjustment('1.00', VALUE) },
      TUESDAY_NOON,
    ),
    chargeRow(
      today,
      { discount: discountUntil(VALUE, { amount: '5.00', date: today }) },
      TUESDAY_NOON,
    ),
  ]
}

/** Charges with a fine, due on a business day and on a Saturday, which moves to the Monday. */
function fineRows(monday: string): ChargeRow[] {
  const { wednesday, saturday } = weekDates(monday)
  const fine = adjustment('2.00', VALUE)
  return [
    chargeRow(wednesday, { fine }, BEFORE_THURSDAY, THURSDAY),
    chargeRow(saturday, { fine }, SATURDAY, BEFORE_NEXT_TUESDAY, NEXT_TUESDAY),
    // Payable for one day: until a Tuesday, as the due date is moved to the Monday. Checked on that day.
    { ...chargeRow(saturday, {}, NEXT_TUESDAY), days: 1 },
  ]
}

/** Charges with interest, due on a business day and on a Saturday, which moves to the Monday. */
function interestRows(monday: string): ChargeRow[] {
  const { wednesday, saturday } = weekDates(monday)
  const interest = adjustment('1.00', VALUE)
  return [
    chargeRow(wednesday, { interest }, BEFORE_THURSDAY, THURSDAY, LAST_TUESDAY_NOON),
    chargeRow(
      saturday,
      { interest },
      SATURDAY,
      BEFORE_NEXT_TUESDAY,
      NEXT_TUESDAY,
      LAST_TUESDAY_NOON,
    ),
  ]
}

/** Discounts that hold until a date. */
function dateDiscountRows(today: string, monday: string): ChargeRow[] {
  const { wednesday, friday, saturday, nextFriday } = weekDates(monday)
  const small = (date: string) => ({ amount: '5.00', date })
  const large = (date: string) => ({ amount: '20.00', date })
  const tenPercent = (date: string) => discountUntil(PERCENTAGE, { amount: '10.00', date })
  const past = addDays(today, -10)
  return [
    chargeRow(
      saturday,
      { discount: discountUntil(VALUE, small(friday), large(wednesday)) },
      BEFORE_THURSDAY,
      THURSDAY,
      BEFORE_SATURDAY,
      SATURDAY,
    ),
    chargeRow(
      nextFriday,
      { discount: discountUntil(VALUE, small(saturday)) },
      SATURDAY,
      BEFORE_NEXT_TUESDAY,
      NEXT_TUESDAY,
    ),
    chargeRow(
      friday,
      { discount: discountUntil(VALUE, large(past), small(friday)) },
      BEFORE_SATURDAY,
      SATURDAY,
    ),
    chargeRow(
      friday,
      { original: '123.45', discount: tenPercent(wednesday) },
      BEFORE_THURSDAY,
      THURSDAY,
    ),
    chargeRow(
      friday,
      { deduction: adjustment('10.00', VALUE), discount: tenPercent(friday) },
      BEFORE_SATURDAY,
    ),
  ]
}

/** The modality of an adjustment that is an amount of money, and of one that is a percentage. */
const VALUE = '1'
const PERCENTAGE = '2'

/** The modalities of a discount for each day: values, then percentages. */
const DAILY_DISCOUNTS = ['3', '4', '5', '6']

/** A charge with a discount for each day before its due date, checked from early to late. */
function dailyDiscountRow(monday: string, modality: string): ChargeRow {
  const { nextFriday } = weekDates(monday)
  return chargeRow(
    nextFriday,
    { original: '123.45', discount: adjustment('1.00', modality) },
    TUESDAY_NOON,
    SATURDAY,
    NEXT_TUESDAY,
  )
}

/**
 * Charges with a discount for each day before the due date, which is a Saturday: the days count to the
 * Monday after it. The modalities count all days (3), and business days (6).
 */
function movedDiscountRows(monday: string): ChargeRow[] {
  const { saturday } = weekDates(monday)
  return ['3', '6'].map((modality) =>
    chargeRow(
      saturday,
      { original: '123.45', discount: adjustment('1.00', modality) },
      TUESDAY_NOON,
      SATURDAY,
      BEFORE_NEXT_TUESDAY,
    ),
  )
}

/** Interest by the day, the month and the year: in calendar days, then in business days. */
const INTEREST: readonly Adjustment[] = [
  adjustment('1.00', '1'),
  adjustment('1.00', '2'),
  adjustment('3.00', '3'),
  adjustment('12.00', '4'),
  adjustment('1.00', '5'),
  adjustment('1.00', '6'),
  adjustment('3.00', '7'),
  adjustment('12.00', '8'),
]

/** A charge with a deduction, a fine and interest, checked before and after it is overdue. */
function interestRow(monday: string, interest: Adjustment): ChargeRow {
  const { friday } = weekDates(monday)
  // Interest that is a value goes with a fine that is one.
  const isValue = interest.modality === '1' || interest.modality === '5'
  const amount = {
    original: '1000.99',
    deduction: adjustment('100.00', VALUE),
    fine: adjustment('2.00', isValue ? VALUE : PERCENTAGE),
    interest,
  }
  return chargeRow(friday, amount, BEFORE_SATURDAY, SATURDAY, NEXT_TUESDAY, LAST_TUESDAY_NOON)
}

/** The dates of days in the week of a Monday, such as `2026-05-27`, and of the Friday after that. */
function weekDates(monday: string) {
  return {
    wednesday: addDays(monday, 2),
    friday: addDays(monday, 4),
    saturday: addDays(monday, 5),
    nextFriday: addDays(monday, 11),
  }
}

/** A charge of 100.00 that can be paid until 30 days after its due date, with some differences. */
function chargeRow(due: string, amount: Partial<ChargeAmount>, ...moments: number[]): ChargeRow {
  return { due, days: 30, amount: { original: '100.00', ...amount }, moments }
}

/** `{ amount: '10.00', modality: '1' }` */
function adjustment(amount: string, modality: string): Adjustment {
  return { amount, modality }
}

/** A discount that holds until dates. */
function discountUntil(
  modality: string,
  ...fixedDateDiscount: readonly { readonly amount: string; readonly date: string }[]
): Adjustment {
  return { modality, fixedDateDiscount }
}

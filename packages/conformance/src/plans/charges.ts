import { type Adjustment, addDays, type ChargeAmount } from '../model/amounts.ts'

/**
 * A due-date charge, and when it is checked: before and after its amount changes, such as at the last minute of its
 * due date and at the first one after it.
 */
export interface ChargeRow {
  readonly amount: ChargeAmount
  readonly due: string
  /** Days after the due date on which it can be paid. */
  readonly payableDays: number
  /** Indexes of MOMENTS. */
  readonly checkedAt: readonly number[]
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
 * interest. Each row also says at which moments to check what is due: `{ due: '2026-06-03', amount: { original:
 * '100.00', fine: { modality: '1', amount: '2.00' } }, checkedAt: [BEFORE_THURSDAY, THURSDAY], … }`. Their dates
 * are in the week of `monday`, such as `2026-06-01`, which is still to come.
 */
export function chargeRows(today: string, monday: string): ChargeRow[] {
  return [
    ...deductionRows(monday),
    ...todaysRows(today),
    ...fineRows(monday),
    ...interestRows(monday),
    ...dateDiscountRows(today, monday),
    ...percentageDiscountRows(monday),
    ...DAILY_DISCOUNTS.map((modality) => dailyDiscountRow(monday, modality)),
    ...movedDiscountRows(monday),
    ...INTEREST.map((interest) => interestRow(monday, interest)),
  ]
}

/** Charges whose deduction is a value or a percentage, and one without any adjustment. */
function deductionRows(monday: string): ChargeRow[] {
  const { wednesday, friday } = weekDates(monday)
  return [
    chargeRow({ due: wednesday, amount: {}, checkedAt: [THURSDAY] }),
    chargeRow({ due: wednesday, amount: { deduction: adjustment('10.00', VALUE) } }),
    chargeRow({
      due: wednesday,
      amount: { original: '123.45', deduction: adjustment('10.00', PERCENTAGE) },
    }),
    // 10 percent are 12.349, which rounding would make 12.35. Pix cuts off what is less than a centavo.
    chargeRow({
      due: friday,
      amount: { original: '123.49', deduction: adjustment('10.00', PERCENTAGE) },
    }),
  ]
}

/** Charges that are due today, with a fine and interest, and with a discount until today. */
function todaysRows(today: string): ChargeRow[] {
  const fine = adjustment('2.00', VALUE)
  const interest = adjustment('1.00', VALUE)
  const discount = discountUntil(VALUE, { amount: '5.00', date: today })
  return [
    chargeRow({ due: today, amount: { fine, interest }, checkedAt: [TUESDAY_NOON] }),
    chargeRow({ due: today, amount: { discount }, checkedAt: [TUESDAY_NOON] }),
  ]
}

/** Charges with a fine after their due date: a Wednesday, and a Saturday, which moves to the Monday. */
function fineRows(monday: string): ChargeRow[] {
  const { wednesday, saturday } = weekDates(monday)
  const fine = adjustment('2.00', VALUE)
  return [
    chargeRow({ due: wednesday, amount: { fine }, checkedAt: [BEFORE_THURSDAY, THURSDAY] }),
    chargeRow({
      due: saturday,
      amount: { fine },
      checkedAt: [SATURDAY, BEFORE_NEXT_TUESDAY, NEXT_TUESDAY],
    }),
    // Payable until a Tuesday, as the due date is moved to the Monday. Checked on that day.
    chargeRow({ due: saturday, amount: {}, payableDays: 1, checkedAt: [NEXT_TUESDAY] }),
  ]
}

/** Charges with interest for each day after the due date: a Wednesday, and a Saturday, which moves to the Monday. */
function interestRows(monday: string): ChargeRow[] {
  const { wednesday, saturday } = weekDates(monday)
  const interest = adjustment('1.00', VALUE)
  return [
    chargeRow({
      due: wednesday,
      amount: { interest },
      checkedAt: [BEFORE_THURSDAY, THURSDAY, LAST_TUESDAY_NOON],
    }),
    chargeRow({
      due: saturday,
      amount: { interest },
      checkedAt: [SATURDAY, BEFORE_NEXT_TUESDAY, NEXT_TUESDAY, LAST_TUESDAY_NOON],
    }),
  ]
}

/**
 * Charges with a discount that is an amount of money, and holds until a date or two: 20.00 until Wednesday, and 5.00
 * until Friday. In the last one, the first date is past.
 */
function dateDiscountRows(today: string, monday: string): ChargeRow[] {
  const { wednesday, friday, saturday, nextFriday } = weekDates(monday)
  const smallUntil = (date: string) => ({ amount: '5.00', date })
  const largeUntil = (date: string) => ({ amount: '20.00', date })
  const past = addDays(today, -10)
  return [
    chargeRow({
      due: saturday,
      amount: { discount: discountUntil(VALUE, smallUntil(friday), largeUntil(wednesday)) },
      checkedAt: [BEFORE_THURSDAY, THURSDAY, BEFORE_SATURDAY, SATURDAY],
    }),
    chargeRow({
      due: nextFriday,
      amount: { discount: discountUntil(VALUE, smallUntil(saturday)) },
      checkedAt: [SATURDAY, BEFORE_NEXT_TUESDAY, NEXT_TUESDAY],
    }),
    chargeRow({
      due: friday,
      amount: { discount: discountUntil(VALUE, largeUntil(past), smallUntil(friday)) },
      checkedAt: [BEFORE_SATURDAY, SATURDAY],
    }),
  ]
}

/** Charges with a discount of ten percent until a date, one of them with a deduction too. */
function percentageDiscountRows(monday: string): ChargeRow[] {
  const { wednesday, friday } = weekDates(monday)
  const tenPercentUntil = (date: string) => discountUntil(PERCENTAGE, { amount: '10.00', date })
  const deduction = adjustment('10.00', VALUE)
  return [
    chargeRow({
      due: friday,
      amount: { original: '123.45', discount: tenPercentUntil(wednesday) },
      checkedAt: [BEFORE_THURSDAY, THURSDAY],
    }),
    chargeRow({
      due: friday,
      amount: { deduction, discount: tenPercentUntil(friday) },
      checkedAt: [BEFORE_SATURDAY],
    }),
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
  return chargeRow({
    due: nextFriday,
    amount: { original: '123.45', discount: adjustment('1.00', modality) },
    checkedAt: [TUESDAY_NOON, SATURDAY, NEXT_TUESDAY],
  })
}

/**
 * Charges with a discount for each day before the due date, which is a Saturday: the days count to the
 * Monday after it. The modalities count all days (3), and business days (6).
 */
function movedDiscountRows(monday: string): ChargeRow[] {
  const { saturday } = weekDates(monday)
  return ['3', '6'].map((modality) =>
    chargeRow({
      due: saturday,
      amount: { original: '123.45', discount: adjustment('1.00', modality) },
      checkedAt: [TUESDAY_NOON, SATURDAY, BEFORE_NEXT_TUESDAY],
    }),
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

/** A charge with a deduction, a fine and the given interest, checked before and after it is overdue. */
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
  const checkedAt = [BEFORE_SATURDAY, SATURDAY, NEXT_TUESDAY, LAST_TUESDAY_NOON]
  return chargeRow({ due: friday, amount, checkedAt })
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

/** What a row of a charge says: by default 100.00, payable for 30 days, and checked at its creation alone. */
interface ChargeOptions {
  readonly due: string
  readonly amount: Partial<ChargeAmount>
  readonly payableDays?: number
  readonly checkedAt?: readonly number[]
}

function chargeRow({ due, amount, payableDays = 30, checkedAt = [] }: ChargeOptions): ChargeRow {
  return { due, payableDays, amount: { original: '100.00', ...amount }, checkedAt }
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

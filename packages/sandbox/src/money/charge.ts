import type {
  DeductionInput,
  DiscountInput,
  DueDateAmountInput,
  FineInput,
  FixedDateDiscountInput,
  InterestInput,
} from '@partner-payments/spec'
import { parseCentavos } from './centavos.ts'
import { countBusinessDays, countCalendarDays, nextBusinessDay } from './days.ts'

/**
 * The amounts of a due-date request, with its due date. They have passed {@link findChargeErrors}. An
 * absent field counts as zero.
 */
export type Charge = DueDateAmountInput & {
  /**
   * The last full-date without fine and interest. If it is no business day, the next one counts.
   */
  due_date: string
}

/**
 * The amounts of a charge on one day, in centavos, none below zero. `final` is exactly `original -
 * deduction - discount + interest + fine`.
 */
export type AmountsDue = {
  original: bigint
  /** The reduction on any day (abatimento), at most the original. */
  deduction: bigint
  /** The reduction for early payment (desconto), at most what the deduction leaves. */
  discount: bigint
  /** Added for each day past due (juros). */
  interest: bigint
  /** Added once when past due (multa). */
  fine: bigint
  final: bigint
}

/**
 * Computes what is due for a charge on a day (a full-date), whether or not it can still be paid
 * then. Of 100.00 with a deduction of 10.00 and a fine of 2 %, 91.80 are due after the due date: the
 * percentage is of the original less the deduction. Each part is truncated to centavos.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, sections 3 and 4.
 *
 * @throws {TypeError} if an amount is invalid, as {@link parseCentavos}.
 */
export function computeAmounts(charge: Charge, day: string): AmountsDue {
  const original = parseCentavos(charge.original ?? '0')
  // `findChargeErrors` refuses a charge of which nothing is due on a day from its creation on. But
  // the clock of a sandbox can go back to an earlier day, on which its discount is higher.
  const deduction = atMost(original, computeAdjustment(charge.deduction, original))
  const base = original - deduction

  // A charge that is due on a Sunday can be paid on Monday without interest.
  const payment: Payment = { base, due: nextBusinessDay(charge.due_date), day }
  const discount = atMost(base, earlyDiscount(charge.discount, payment))
  const interest = lateInterest(charge.interest, payment)
  const fine = lateFine(charge.fine, payment)
  return {
    original,
    deduction,
    discount,
    interest,
    fine,
    final: base - discount + interest + fine,
  }
}

function atMost(limit: bigint, value: bigint): bigint {
  return value < limit ? value : limit
}

/** A payment, with what discount, interest and fine depend on. */
type Payment = {
  /** The original less the deduction, in centavos. */
  base: bigint
  /**
   * The full-date to which early days count, and from which late days count: the due date, or the
   * business day to which it moves.
   *
   * Pix API 2.9.0, `CobDataDeVencimento`, `validadeAposVencimento`; for late days, the assumption
   * to the open question `late-days`.
   */
  due: string
  /** The full-date of the payment. */
  day: string
}

/**
 * A percentage of centavos, truncated to centavos. The percentage is in hundredths of a percent:
 * 150 are 1.5 %, which of 9,999 centavos are 149.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 4.
 */
function computePercentage(base: bigint, percentage: bigint): bigint {
  return (base * percentage) / 100_00n
}

/**
 * The centavos of a deduction or a fine, or 0 if there is none. Its amount is reais if its modality
 * is 1, and a percentage of the base if it is 2.
 *
 * Pix API 2.9.0, `multa` and `abatimento`; Manual de Padrões para Iniciação do Pix 2.10.0, annex
 * III, section 4.
 */
function computeAdjustment(adjustment: Adjustment | undefined, base: bigint): bigint {
  if (!adjustment?.modality) return 0n
  const amount = parseCentavos(adjustment.amount ?? '0')
  const isPercent = adjustment.modality === '2'
  return isPercent ? computePercentage(base, amount) : amount
}

type Adjustment = DeductionInput | FineInput

/**
 * The interest of a late payment, in centavos; 0 without interest or before the due date. By its
 * modality, the amount is reais for each day, or a percentage for each period of days. With 1.00 %
 * for 30 days (modality 3), fifteen days of 100.00 cost 0.50. Interest is never compound.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 4.
 */
function lateInterest(interest: InterestInput | undefined, { base, due, day }: Payment): bigint {
  if (!interest?.modality) return 0n
  const { countDays, periodDays } = INTEREST[interest.modality]
  const daysLate = BigInt(Math.max(0, countDays(due, day)))
  const amountForAllDays = parseCentavos(interest.amount ?? '0') * daysLate

  const isInReais = periodDays === undefined
  if (isInReais) return amountForAllDays

  // The rate of all days, truncated to six decimal places. Hundredths of a percent have four.
  const millionths = (amountForAllDays * 100n) / periodDays
  return (base * millionths) / 1_000_000n
}

/**
 * How each modality counts days, and for how many days its percentage is: a day, a month or a year.
 * An amount in reais is for each day, and has no `periodDays`.
 */
const INTEREST = {
  '1': { countDays: countCalendarDays, periodDays: undefined },
  '2': { countDays: countCalendarDays, periodDays: 1n },
  '3': { countDays: countCalendarDays, periodDays: 30n },
  '4': { countDays: countCalendarDays, periodDays: 360n },
  '5': { countDays: countBusinessDays, periodDays: undefined },
  '6': { countDays: countBusinessDays, periodDays: 1n },
  '7': { countDays: countBusinessDays, periodDays: 21n },
  '8': { countDays: countBusinessDays, periodDays: 252n },
} satisfies Record<NonNullable<InterestInput['modality']>, unknown>

/**
 * The fine of a late payment, in centavos: a value (modality 1) or a percentage of the base (2). It
 * is the same from the first day on.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 4.
 */
function lateFine(fine: FineInput | undefined, { base, due, day }: Payment): bigint {
  const isLate = day > due
  return isLate ? computeAdjustment(fine, base) : 0n
}

/**
 * The discount for an early payment, in centavos; 0 without one. Modality 1 and 2 have an amount
 * until each of some dates, in reais or as a percentage of the base. The others have an amount for
 * each day before the due date: 0.10 for each (modality 3) save 0.40 four days early. The result
 * may exceed the base.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, sections 3, 4.2.1 and 4.2.2.
 */
function earlyDiscount(discount: DiscountInput | undefined, payment: Payment): bigint {
  if (!discount?.modality) return 0n
  const { modality, fixedDateDiscount = [], amount = '0' } = discount

  const hasFixedDates = modality === '1' || modality === '2'
  if (!hasFixedDates) return dailyDiscount(modality, amount, payment)

  const amountOfDate = findFixedDateAmount(fixedDateDiscount, payment.day)
  return computeAdjustment({ modality, amount: amountOfDate }, payment.base)
}

/** The discount of modality 3 to 6: the amount for each day from the payment to the due date. */
function dailyDiscount(
  modality: keyof typeof PER_DAY,
  amount: string,
  { base, due, day }: Payment,
): bigint {
  const { countDays, isPercent } = PER_DAY[modality]
  const daysEarly = BigInt(Math.max(0, countDays(day, due)))
  const total = parseCentavos(amount) * daysEarly
  return isPercent ? computePercentage(base, total) : total
}

/** Of a discount for every day: which days count, and whether its amount is a percentage. */
const PER_DAY = {
  '3': { countDays: countCalendarDays, isPercent: false },
  '4': { countDays: countBusinessDays, isPercent: false },
  '5': { countDays: countCalendarDays, isPercent: true },
  '6': { countDays: countBusinessDays, isPercent: true },
} satisfies Partial<Record<Modality, unknown>>

type Modality = NonNullable<DiscountInput['modality']>

/**
 * The amount of the earliest date that is not past; zero if all are. Of 10.00 until 5 March and
 * 5.00 until 10 March, it is 5.00 on 7 March.
 */
function findFixedDateAmount(discounts: FixedDateDiscountInput[], day: string): string {
  let earliest = { date: NEVER, amount: '0' }
  for (const { date, amount = '0' } of discounts) {
    if (!date) continue
    const isOpen = day <= nextBusinessDay(date)
    if (isOpen && date < earliest.date) earliest = { date, amount }
  }
  return earliest.amount
}

/** After every full-date. */
const NEVER = '9999-99-99'

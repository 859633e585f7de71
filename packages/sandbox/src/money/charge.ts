import type { DueDateAmountInput } from '@partner-payments/spec'
import { nextBusinessDay } from './business-days.ts'
import { parseCentavos } from './centavos.ts'
import { earlyDiscount } from './discount.ts'
import { lateFine, lateInterest } from './late.ts'
import { centavosOf, type Payment } from './share.ts'

/**
 * The amounts of a due-date request, with its due date. They have passed {@link chargeFaults}. An absent field counts
 * as zero.
 */
export type Charge = DueDateAmountInput & {
  /** The last full-date without fine and interest. If it is not a business day, the next one counts. */
  due_date: string
}

/**
 * The amounts of a charge on one day, in centavos, none below zero. `final` is exactly `original - deduction - discount
 * + interest + fine`.
 */
export type AmountsDue = {
  /** The requested amount. */
  original: bigint
  /** The reduction on any day (abatimento), at most the original. */
  deduction: bigint
  /** The reduction for early payment (desconto), at most what the deduction leaves. */
  discount: bigint
  /** Added for each day past due (juros). */
  interest: bigint
  /** Added once when past due (multa). */
  fine: bigint
  /** The amount to pay. */
  final: bigint
}

/**
 * The amounts of a charge on a full-date, whether or not it can still be paid then. Each part is truncated to centavos.
 * Percentages apply to the original less the deduction; the percentage of a deduction applies to the original.
 *
 * If the reductions exceed the original, the amount is zero. The standard does not define this case.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 4.
 *
 * @throws {TypeError} if an amount is invalid, as {@link parseCentavos}.
 */
export function amountsOn(charge: Charge, day: string): AmountsDue {
  const original = parseCentavos(charge.original ?? '0')
  const deduction = atMost(original, centavosOf(charge.deduction, original))
  const base = original - deduction
  const discount = atMost(base, earlyDiscount(charge.discount, { base, due: charge.due_date, day }))
  const late: Payment = { base, due: nextBusinessDay(charge.due_date), day }
  const interest = lateInterest(charge.interest, late)
  const fine = lateFine(charge.fine, late)
  return { original, deduction, discount, interest, fine, final: base - discount + interest + fine }
}

function atMost(limit: bigint, value: bigint): bigint {
  return value < limit ? value : limit
}

import type { DueDateAmountInput } from '@partner-payments/spec'
import { nextBusinessDay } from './business-days.ts'
import { parseCentavos } from './centavos.ts'
import { earlyDiscount } from './discount.ts'
import { lateFine, lateInterest } from './late.ts'
import { centavosOf, type Payment } from './share.ts'

/**
 * The amounts of a due-date request with the full-date that they count from. It has no {@link chargeFaults}: here a
 * member that is absent counts for nothing.
 *
 * @example
 * const charge: Charge = { original: '100.00', fine: { modality: '2', amount: '3.00' }, due_date: '2026-12-15' }
 */
export type Charge = DueDateAmountInput & {
  /** The full-date until which nothing is added; where it is no business day, that is the next one. */
  due_date: string
}

/**
 * What a charge comes to on one day, in centavos, none below zero. `final` is exactly
 * `original - deduction - discount + interest + fine`.
 *
 * @example
 * const { final }: AmountsDue = amountsOn({ original: '10.00', due_date: '2026-12-15' }, '2026-12-15') // 1000n
 */
export type AmountsDue = {
  /** What was asked for. */
  original: bigint
  /** What is taken off on every day (abatimento), no more than the original. */
  deduction: bigint
  /** What is taken off for paying early (desconto), no more than what the deduction leaves. */
  discount: bigint
  /** What is added with every day past due (juros). */
  interest: bigint
  /** What is added once past due (multa). */
  fine: bigint
  /** What is to be paid. */
  final: bigint
}

/**
 * What a charge comes to if it is paid on a full-date, whether or not it is still payable then. Each part is truncated
 * to centavos. A percentage is of the original less the deduction; that of a deduction is of the original.
 *
 * Where the parts taken off exceed the original, the norm says nothing; here they stop there.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 4.
 *
 * @throws {TypeError} where an amount is none, as {@link parseCentavos} does.
 *
 * @example
 * const interest = { modality: '2', amount: '1.00' } as const
 * amountsOn({ original: '100.00', interest, due_date: '2026-12-15' }, '2026-12-17').final // 10200n
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

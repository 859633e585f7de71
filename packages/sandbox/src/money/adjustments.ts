import type { DeductionInput, DiscountInput, FixedDateDiscountInput } from '@partner-payments/spec'
import { parseCentavos } from './centavos.ts'
import { type ChargeFault, invalid, missing } from './fault.ts'

/**
 * What the rules of an adjustment depend on. A field that the request lacks sets no limit.
 *
 * @example
 * const limits: Limits = { original: '100.00', dueDate: '2026-12-15' }
 */
export type Limits = {
  /** The original amount. Every deduction and discount is below it. */
  original: string | undefined
  /** The due date. No discount date is after it. */
  dueDate: string | undefined
}

/**
 * The missing fields of an adjustment; none if the adjustment itself is absent.
 *
 * @example
 * lacking('/amount/fine', { modality: '1' })[0]?.pointer // '/amount/fine/amount'
 */
export function lacking(pointer: string, adjustment: Adjustment | undefined): ChargeFault[] {
  if (!adjustment) return []
  const { modality, amount } = adjustment
  return [...required(`${pointer}/modality`, modality), ...required(`${pointer}/amount`, amount)]
}

/**
 * The rules that a deduction breaks: it needs a modality and an amount, below the original or 100 percent.
 *
 * Pix API 2.9.0, `abatimento`.
 *
 * @example
 * deductionFaults({ modality: '2', amount: '100.00' }, { original: '10.00', dueDate: '2026-12-15' }).length // 1
 */
export function deductionFaults(deduction: DeductionInput | undefined, { original }: Limits): ChargeFault[] {
  const pointer = '/amount/deduction'
  const atLimit = excess(
    `${pointer}/amount`,
    deduction?.amount,
    limitOf(deduction?.modality === '2', original),
  )
  return [...lacking(pointer, deduction), ...atLimit]
}

/**
 * The rules that a discount breaks. Modalities 1 and 2 need fixed dates, each with an amount and not after the due
 * date; the others need an amount. Every amount is below the original or 100 percent.
 *
 * Pix API 2.9.0, `desconto`.
 *
 * @example
 * discountFaults({ modality: '1' }, { original: '10.00', dueDate: '2026-12-15' }).length // 1
 */
export function discountFaults(discount: DiscountInput | undefined, limits: Limits): ChargeFault[] {
  const pointer = '/amount/discount'
  if (!discount) return []
  if (!discount.modality) return [missing(`${pointer}/modality`)]
  const limit = limitOf(['2', '5', '6'].includes(discount.modality), limits.original)
  const { modality, amount, fixedDateDiscount: items = [] } = discount
  const list = `${pointer}/fixedDateDiscount`
  if (!['1', '2'].includes(modality))
    return [
      ...lacking(pointer, discount),
      ...excess(`${pointer}/amount`, amount, limit),
      // Unused by these modalities, but the response repeats them, and there the fields are required.
      ...items.flatMap((item, i) => incomplete(`${list}/${i}`, item)),
    ]
  if (items.length === 0) return [missing(list)]
  return items.flatMap((item, i) => fixedDateFaults(`${list}/${i}`, item, limit, limits.dueDate))
}

function incomplete(pointer: string, { amount, date }: FixedDateDiscountInput): ChargeFault[] {
  return [...required(`${pointer}/amount`, amount), ...required(`${pointer}/date`, date)]
}

function fixedDateFaults(
  pointer: string,
  item: FixedDateDiscountInput,
  limit: Limit,
  dueDate: string | undefined,
): ChargeFault[] {
  const { amount, date } = item
  const faults = [...incomplete(pointer, item), ...excess(`${pointer}/amount`, amount, limit)]
  const isLate = date && dueDate && date > dueDate
  return isLate ? [...faults, invalid(`${pointer}/date`, 'be no later than the due date')] : faults
}

function required(pointer: string, value: string | undefined): ChargeFault[] {
  return value === undefined ? [missing(pointer)] : []
}

function excess(pointer: string, amount: string | undefined, limit: Limit): ChargeFault[] {
  if (amount === undefined || limit.value === undefined) return []
  return parseCentavos(amount) < parseCentavos(limit.value)
    ? []
    : [invalid(pointer, `be below ${limit.name}`)]
}

function limitOf(isPercent: boolean, original: string | undefined): Limit {
  return isPercent ? { name: '100 percent', value: '100' } : { name: 'the original amount', value: original }
}

type Limit = { name: string; value: string | undefined }
type Adjustment = { modality?: string; amount?: string }

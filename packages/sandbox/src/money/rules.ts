import type {
  DeductionInput,
  DiscountInput,
  DueDateQrCodeRequest,
  FixedDateDiscountInput,
  ImmediateQrCodeRequest,
} from '@partner-payments/spec'
import { parseCentavos } from './centavos.ts'

/**
 * The charge rules that a due-date request breaks and that a schema cannot express; empty if it is valid. They are
 * assumptions to the open questions `charge-rules` and `due-date-fields`.
 *
 * Pix API 2.9.0, `valor`, `multa`, `juros`, `abatimento` and `desconto`.
 *
 * @throws {TypeError} if an amount is invalid: validate the request against the contract first.
 */
export function chargeFaults(request: DueDateQrCodeRequest, today: string): ChargeFault[] {
  const { amount = {}, calendar = {} } = request
  const limits = { original: amount.original, dueDate: calendar.due_date }
  return [
    ...originalFaults(limits.original),
    ...dueDateFaults(limits.dueDate, today),
    ...deductionFaults(amount.deduction, limits),
    ...discountFaults(amount.discount, limits),
    ...lacking('/amount/fine', amount.fine),
    ...lacking('/amount/interest', amount.interest),
  ]
}

/**
 * The charge rules that an immediate request breaks; empty if it is valid. They are assumptions to the open question
 * `immediate-fields`.
 *
 * Pix API 2.9.0, `valor`.
 *
 * @throws {TypeError} if the amount is invalid: validate the request against the contract first.
 */
export function immediateFaults({ amount }: ImmediateQrCodeRequest): ChargeFault[] {
  return originalFaults(amount?.original)
}

function originalFaults(original: string | undefined): ChargeFault[] {
  const pointer = '/amount/original'
  if (original === undefined) return [missing(pointer)]
  return parseCentavos(original) > 0n ? [] : [invalid(pointer, 'be above zero')]
}

function dueDateFaults(dueDate: string | undefined, today: string): ChargeFault[] {
  const pointer = '/calendar/due_date'
  if (dueDate === undefined) return [missing(pointer)]
  return dueDate >= today ? [] : [invalid(pointer, `be ${today} or later`)]
}

/** What the rules of an adjustment depend on. A field that the request lacks sets no limit. */
type Limits = {
  /** The original amount. Every deduction and discount is below it. */
  original: string | undefined
  /** The due date. No discount date is after it. */
  dueDate: string | undefined
}

/** The missing fields of an adjustment; none if the adjustment itself is absent. */
function lacking(pointer: string, adjustment: Adjustment | undefined): ChargeFault[] {
  if (!adjustment) return []
  const { modality, amount } = adjustment
  return [...required(`${pointer}/modality`, modality), ...required(`${pointer}/amount`, amount)]
}

/**
 * The rules that a deduction breaks: it needs a modality and an amount, below the original or 100 percent.
 *
 * Pix API 2.9.0, `abatimento`.
 */
function deductionFaults(deduction: DeductionInput | undefined, { original }: Limits): ChargeFault[] {
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
 */
function discountFaults(discount: DiscountInput | undefined, limits: Limits): ChargeFault[] {
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

/** A charge rule that a request breaks. */
type ChargeFault = {
  /** JSON pointer (RFC 6901) to the invalid or missing field. */
  pointer: string
  /** Whether the field is missing, or contradicts other fields. */
  code: 'field_missing' | 'invalid_charge'
  /** What was expected, for people. */
  detail: string
}

/** The fault of a missing field. */
function missing(pointer: string): ChargeFault {
  return { pointer, code: 'field_missing', detail: `"${nameOf(pointer)}" is required.` }
}

/** The fault of a field that contradicts others. `expected` completes the sentence after its name. */
function invalid(pointer: string, expected: string): ChargeFault {
  return { pointer, code: 'invalid_charge', detail: `"${nameOf(pointer)}" must ${expected}.` }
}

function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

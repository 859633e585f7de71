import type {
  DiscountInput,
  DueDateQrCodeRequest,
  ImmediateQrCodeRequest,
} from '@partner-payments/spec'
import { parseCentavos } from './centavos.ts'

/**
 * The charge rules that a due-date request breaks and that a schema cannot express; empty if it is
 * valid. They are assumptions to the open questions `charge-rules` and `due-date-fields`.
 *
 * Pix API 2.9.0, `valor`, `multa`, `juros`, `abatimento` and `desconto`.
 *
 * @throws {TypeError} if an amount is invalid: validate the request against the contract first.
 */
export function chargeFaults(request: DueDateQrCodeRequest, today: string): ChargeFault[] {
  const { amount: { original, deduction, discount, fine, interest } = {}, calendar = {} } = request
  const { due_date } = calendar
  const isPast = due_date !== undefined && due_date < today
  const limit = limitOf(deduction?.modality === '2', original)
  return [
    ...originalFaults(original),
    ...faultsIn('/calendar/due_date', due_date, isPast && `be ${today} or later`),
    ...adjustmentFaults('/amount/deduction', deduction, limit),
    ...discountFaults(discount, original, due_date),
    ...adjustmentFaults('/amount/fine', fine),
    ...adjustmentFaults('/amount/interest', interest),
  ]
}

/**
 * The charge rules that an immediate request breaks; empty if it is valid. They are assumptions to
 * the open question `immediate-fields`.
 *
 * Pix API 2.9.0, `valor`.
 *
 * @throws {TypeError} if the amount is invalid: validate the request against the contract first.
 */
export function immediateFaults({ amount }: ImmediateQrCodeRequest): ChargeFault[] {
  return originalFaults(amount?.original)
}

function originalFaults(original: string | undefined): ChargeFault[] {
  const isZero = original !== undefined && parseCentavos(original) === 0n
  return faultsIn('/amount/original', original, isZero && 'be above zero')
}

/**
 * The rules that a discount breaks. Modalities 1 and 2 need fixed dates, each with an amount and
 * not after the due date; the others need an amount, and have no dates. Every amount is below the
 * original or 100 percent.
 *
 * Pix API 2.9.0, `desconto`.
 */
function discountFaults(
  discount: DiscountInput | undefined,
  original: string | undefined,
  due_date: string | undefined,
): ChargeFault[] {
  const pointer = '/amount/discount'
  if (!discount) return []
  const { modality, fixedDateDiscount: items } = discount
  if (!modality) return faultsIn(`${pointer}/modality`, modality)
  const limit = limitOf(['2', '5', '6'].includes(modality), original)
  const list = `${pointer}/fixedDateDiscount`
  if (!['1', '2'].includes(modality))
    return [
      ...adjustmentFaults(pointer, discount, limit),
      ...(items ? faultsIn(list, items, 'be absent unless "modality" is 1 or 2') : []),
    ]
  if (!items?.length) return faultsIn(list, undefined)
  return items.flatMap(({ amount, date }, i) => {
    const isLate = date !== undefined && due_date !== undefined && date > due_date
    return [
      ...faultsIn(`${list}/${i}/amount`, amount, excess(amount, limit)),
      ...faultsIn(`${list}/${i}/date`, date, isLate && 'be no later than the due date'),
    ]
  })
}

/**
 * The rules that an adjustment breaks, if there is one: it needs a modality, and an amount below
 * the limit.
 *
 * Pix API 2.9.0, `abatimento`, `multa` and `juros`.
 */
function adjustmentFaults(
  pointer: string,
  adjustment: Adjustment | undefined,
  limit?: Limit,
): ChargeFault[] {
  if (!adjustment) return []
  const { modality, amount } = adjustment
  return [
    ...faultsIn(`${pointer}/modality`, modality),
    ...faultsIn(`${pointer}/amount`, amount, limit && excess(amount, limit)),
  ]
}

/** A value that an amount must be below. Without an original amount, there is none. */
type Limit = { name: string; value: string | undefined }
type Adjustment = { modality?: string; amount?: string }

function limitOf(isPercent: boolean, original: string | undefined): Limit {
  return isPercent
    ? { name: '100 percent', value: '100' }
    : { name: 'the original amount', value: original }
}

function excess(amount: string | undefined, { name, value }: Limit): string | false {
  if (amount === undefined || value === undefined) return false
  return parseCentavos(amount) >= parseCentavos(value) && `be below ${name}`
}

type ChargeFault = {
  /** JSON pointer (RFC 6901) to the invalid or missing field. */
  pointer: string
  /** Whether the field is missing, or contradicts other fields. */
  code: 'field_missing' | 'invalid_charge'
  detail: string
}

/**
 * The fault of a required field that is missing, or contradicts others: `expected` completes the
 * sentence after its name.
 */
function faultsIn(pointer: string, value: unknown, expected?: string | false): ChargeFault[] {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  if (value === undefined)
    return [{ pointer, code: 'field_missing', detail: `"${name}" is required.` }]
  return expected
    ? [{ pointer, code: 'invalid_charge', detail: `"${name}" must ${expected}.` }]
    : []
}

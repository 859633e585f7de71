import type {
  DiscountInput,
  DueDateQrCodeRequest,
  FixedDateDiscountInput,
  ImmediateQrCodeRequest,
} from '@partner-payments/spec'
import { formatCentavos, parseCentavos } from './centavos.ts'
import { type Charge, computeAmounts } from './charge.ts'
import { nextBusinessDay } from './days.ts'

/**
 * The charge rules that a due-date request breaks and that a schema cannot express; empty if it is
 * valid. They are assumptions to the open questions `charge-rules`, `due-date-fields` and
 * `payer-fields`.
 *
 * Pix API 2.9.0, `devedor`, `valor`, `multa`, `juros`, `abatimento` and `desconto`.
 *
 * @throws {TypeError} if an amount is invalid: validate the request against the contract first.
 */
export function findChargeErrors(request: DueDateQrCodeRequest, today: string): ChargeError[] {
  const { amount = {}, calendar = {}, payer } = request
  const { original, deduction, discount, fine, interest } = amount
  const { due_date } = calendar

  // Modality 2 of a deduction is a percentage, modality 1 a value.
  const isPercent = deduction?.modality === '2'
  const deductionLimit = chooseLimit(isPercent, original)
  const errors = [
    ...findOriginalErrors(original),
    ...findDueDateErrors(due_date, today),
    ...findPayerErrors(payer),
    ...findAdjustmentErrors('/amount/deduction', deduction, deductionLimit),
    ...findDiscountErrors(discount, original, due_date),
    ...findAdjustmentErrors('/amount/fine', fine),
    ...findAdjustmentErrors('/amount/interest', interest),
  ]
  // The amounts of a charge can be computed only if its fields are right.
  const isComplete = due_date !== undefined && errors.length === 0
  if (!isComplete) return errors
  return findNothingDueErrors({ ...amount, due_date }, today)
}

/**
 * The charge rules that an immediate request breaks; empty if it is valid. They are assumptions to
 * the open questions `immediate-fields` and `payer-fields`.
 *
 * Pix API 2.9.0, `devedor` and `valor`.
 *
 * @throws {TypeError} if the amount is invalid: validate the request against the contract first.
 */
export function findImmediateErrors({ amount, payer }: ImmediateQrCodeRequest): ChargeError[] {
  const errors = findOriginalErrors(amount?.original)
  // An immediate charge may be for anybody.
  if (payer) errors.push(...findPayerErrors(payer))
  return errors
}

/**
 * The rules that a payer breaks: there is one, with a name and a tax ID.
 *
 * Pix API 2.9.0, `devedor`.
 */
function findPayerErrors(payer: Payer | undefined): ChargeError[] {
  if (!payer) return [missing('/payer')]

  const { name, tax_id } = payer
  const errors: ChargeError[] = []
  if (!name) errors.push(missing('/payer/name'))
  if (!tax_id) errors.push(missing('/payer/tax_id'))
  return errors
}

type Payer = { readonly name?: string; readonly tax_id?: string }

/** The rules that the original amount of a charge breaks: there is one, above zero. */
function findOriginalErrors(original: string | undefined): ChargeError[] {
  const pointer = '/amount/original'
  if (original === undefined) return [missing(pointer)]
  if (parseCentavos(original) === 0n) return [invalid(pointer, 'be above zero')]
  return []
}

/** The rules that a due date breaks: there is one, today or later. */
function findDueDateErrors(due_date: string | undefined, today: string): ChargeError[] {
  const pointer = '/calendar/due_date'
  if (due_date === undefined) return [missing(pointer)]
  if (due_date < today) return [invalid(pointer, `be ${today} or later`)]
  return []
}

const DISCOUNT = '/amount/discount'
const FIXED_DATES = `${DISCOUNT}/fixedDateDiscount`

/** Modalities of a discount that apply until fixed dates. */
const FIXED_DATE_MODALITIES: ReadonlySet<string> = new Set([
  '1', // a value
  '2', // a percentage
])

/** Modalities of a discount that are a percentage. */
const PERCENT_MODALITIES: ReadonlySet<string> = new Set([
  '2', // until fixed dates
  '5', // for each day before the due date
  '6', // for each business day before the due date
])

/**
 * The rules that a discount breaks. A discount until fixed dates (modality 1 or 2) needs these
 * dates, each with an amount and not after the due date, and has no other amount. A discount for
 * each day (modality 3 to 6) needs an amount, and has no dates. Every amount is below the original
 * or 100 percent.
 *
 * Pix API 2.9.0, `desconto`.
 */
function findDiscountErrors(
  discount: DiscountInput | undefined,
  original: string | undefined,
  due_date: string | undefined,
): ChargeError[] {
  if (!discount) return []
  const { modality, fixedDateDiscount, amount } = discount
  if (!modality) return [missing(`${DISCOUNT}/modality`)]

  const limit = chooseLimit(PERCENT_MODALITIES.has(modality), original)
  const hasFixedDates = FIXED_DATE_MODALITIES.has(modality)
  if (hasFixedDates) {
    const errors = findFixedDatesErrors(fixedDateDiscount, limit, due_date)
    if (amount !== undefined) errors.push(AMOUNT_WITH_FIXED_DATES)
    return errors
  }

  const errors = findAdjustmentErrors(DISCOUNT, discount, limit)
  if (fixedDateDiscount) errors.push(FIXED_DATES_WITHOUT_MODALITY)
  return errors
}

const AMOUNT_WITH_FIXED_DATES = invalid(`${DISCOUNT}/amount`, 'be absent if "modality" is 1 or 2')
const FIXED_DATES_WITHOUT_MODALITY = invalid(FIXED_DATES, 'be absent unless "modality" is 1 or 2')

/**
 * The rules that the fixed dates of a discount break, as errors: there must be at least one, each
 * with an amount below the limit and a date not after the due date.
 */
function findFixedDatesErrors(
  discounts: readonly FixedDateDiscountInput[] | undefined,
  limit: Limit | undefined,
  due_date: string | undefined,
): ChargeError[] {
  if (!discounts || discounts.length === 0) return [missing(FIXED_DATES)]

  return discounts.flatMap(({ amount, date }, i) => [
    ...findAmountErrors(`${FIXED_DATES}/${i}/amount`, amount, limit),
    ...findDateErrors(`${FIXED_DATES}/${i}/date`, date, due_date),
  ])
}

/** The rules that the date of a discount breaks: it must be there, and not after the due date. */
function findDateErrors(
  pointer: string,
  date: string | undefined,
  due_date: string | undefined,
): ChargeError[] {
  if (date === undefined) return [missing(pointer)]
  const isLate = due_date !== undefined && date > due_date
  if (isLate) return [invalid(pointer, 'be no later than the due date')]
  return []
}

/**
 * The error of a discount that leaves nothing to pay on a day, alone or with the deduction; empty
 * if something is left on each day. A discount by day takes the most today, so today decides. A
 * discount by dates is computed for each of its dates that is still to come.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, annex III, section 3.
 *
 * @param charge without other errors
 */
function findNothingDueErrors(charge: Charge, today: string): ChargeError[] {
  for (const { pointer, day } of discountDays(charge, today)) {
    const { original, deduction, discount, final } = computeAmounts(charge, day)
    if (final > 0n) continue

    const reduction = formatCentavos(deduction + discount)
    const sum = `deduction and discount are ${reduction} of ${formatCentavos(original)}`
    return [invalid(pointer, `leave something to pay on ${day}, when ${sum}`)]
  }
  return []
}

/**
 * The days on which a discount takes the most, each with the pointer to its amount. A discount by
 * dates takes the most on each of its dates that is still to come, any other one today. Empty
 * without a discount.
 */
function discountDays({ discount }: Charge, today: string): DiscountDay[] {
  if (!discount) return []
  const { fixedDateDiscount } = discount
  if (!fixedDateDiscount) return [{ pointer: `${DISCOUNT}/amount`, day: today }]

  const days: DiscountDay[] = []
  for (const [i, { date }] of fixedDateDiscount.entries()) {
    if (date === undefined) continue
    const lastDay = nextBusinessDay(date)
    const isToCome = lastDay >= today
    if (isToCome) days.push({ pointer: `${FIXED_DATES}/${i}/amount`, day: lastDay })
  }
  return days
}

type DiscountDay = { readonly pointer: string; readonly day: string }

/**
 * The rules that an adjustment of the amount breaks, such as a fine, if there is one: it needs a
 * modality, and an amount below the limit.
 *
 * Pix API 2.9.0, `abatimento`, `multa` and `juros`.
 */
function findAdjustmentErrors(
  pointer: string,
  adjustment: Adjustment | undefined,
  limit?: Limit,
): ChargeError[] {
  if (!adjustment) return []

  const errors: ChargeError[] = []
  if (adjustment.modality === undefined) errors.push(missing(`${pointer}/modality`))
  errors.push(...findAmountErrors(`${pointer}/amount`, adjustment.amount, limit))
  return errors
}

type Adjustment = { modality?: string; amount?: string }

/**
 * The rules that an amount breaks, as errors: it must be there, and below the limit if there is
 * one, such as `{ name: '100 percent', value: '100' }`.
 */
function findAmountErrors(
  pointer: string,
  amount: string | undefined,
  limit: Limit | undefined,
): ChargeError[] {
  if (amount === undefined) return [missing(pointer)]
  if (!limit) return []

  const isBelow = parseCentavos(amount) < parseCentavos(limit.value)
  if (isBelow) return []
  return [invalid(pointer, `be below ${limit.name}`)]
}

/** A value that an amount must be below. */
type Limit = { name: string; value: string }

/** The limit of an adjustment; undefined if that is the original amount, and the request has none. */
function chooseLimit(isPercent: boolean, original: string | undefined): Limit | undefined {
  if (isPercent) return { name: '100 percent', value: '100' }
  if (original === undefined) return undefined
  return { name: 'the original amount', value: original }
}

type ChargeError = {
  /** JSON pointer (RFC 6901) to the invalid or missing field. */
  pointer: string
  /** Whether the field is missing, or contradicts other fields. */
  code: 'field_missing' | 'invalid_charge'
  detail: string
}

/** The error of a required field that is missing. */
function missing(pointer: string): ChargeError {
  return { pointer, code: 'field_missing', detail: `"${fieldName(pointer)}" is required.` }
}

/** The error of a field that contradicts others. `expected` completes the sentence. */
function invalid(pointer: string, expected: string): ChargeError {
  return { pointer, code: 'invalid_charge', detail: `"${fieldName(pointer)}" must ${expected}.` }
}

function fieldName(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

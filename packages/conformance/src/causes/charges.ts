import { fieldsOf, stringAt, valueAt, withValue } from '../contract/json.ts'
import {
  type Adjustment,
  type ChargeAmount,
  centavosOf,
  dayAt,
  isCalculableDay,
  leavesNothing,
  WHOLE_PERCENTAGE,
} from '../model/amounts.ts'
import type { Exchange } from '../model/exchange.ts'
import {
  buildApplicableCause,
  buildExcludedCause,
  type Cause,
  estimateServiceTime,
  type RequestContext,
} from './cause.ts'

/**
 * Lists the reasons to refuse the creation of a QR code, as causes with the code of the refusal.
 *
 * - If its amount, payer, dates or key are wrong, the service should refuse it, such as with
 *   `{ code: 'invalid_charge', says: 'an amount of zero', applies: true }`.
 * - If nothing is wrong, and the service accepted the key before, a refusal with one of these codes
 *   is wrong: `{ code: 'invalid_charge', says: 'a valid charge', applies: false }`.
 * - Otherwise, the service may accept or refuse it: none.
 */
export function listChargeCauses(context: RequestContext): readonly Cause[] {
  const { exchange } = context
  const faults = isStaticCode(exchange)
    ? listStaticCodeFaults(exchange.requestBody)
    : listChargeFaults(context)
  if (isKeyOfAnotherAccount(context)) faults.push(buildInvalidCharge('the key of another account'))
  if (faults.length > 0) return faults

  if (mayBePastDue(context)) return []

  const mayBeRefused =
    mayRefuseText(exchange) || hasOwnAdjustment(exchange) || !wasKeyAccepted(context)
  if (mayBeRefused) return []
  return [
    buildExcludedCause('invalid_charge', 'a valid charge'),
    buildExcludedCause('field_missing', 'a valid charge'),
  ]
}

/** Whether nobody knows if a due date is past: around midnight, the request may have been judged on the day after it. */
function mayBePastDue(context: RequestContext): boolean {
  const due = stringAt(context.exchange.requestBody, '/calendar/due_date')
  return due !== undefined && due < dayAt(estimateServiceTime(context).to)
}

function isStaticCode({ operation }: Exchange): boolean {
  return operation?.id === 'createStaticQrCode'
}

/** Whether a service may refuse a text that the contract allows: an empty name, or a message such as `Café`. */
function mayRefuseText(exchange: Exchange): boolean {
  const { requestBody } = exchange
  // A service may take an empty name for none.
  if (stringAt(requestBody, '/payer/name') === '') return true

  // The message is part of the code's text, and a service may find no ASCII for a character of it.
  const message = stringAt(requestBody, '/message')
  return isStaticCode(exchange) && message !== undefined && !isAscii(message)
}

/** Whether the service accepted the key of a charge before, so that it does not refuse the key. */
function wasKeyAccepted({ exchange, model }: RequestContext): boolean {
  const { identity, requestBody } = exchange
  const key = stringAt(requestBody, '/dict_key')
  if (identity === undefined || key === undefined) return false
  return model.ledger.hasKey(identity, key)
}

/** Whether the key of a code certainly belongs to another account than the caller's; false if one is unknown. */
function isKeyOfAnotherAccount({ exchange, model }: RequestContext): boolean {
  const { identity, requestBody } = exchange
  const key = stringAt(requestBody, '/dict_key')
  if (identity === undefined || key === undefined) return false

  const accountOfKey = model.ledger.findAccountOfKey(key)
  const accountOfCaller = model.ledger.findAccount(identity)
  const areBothKnown = accountOfKey !== undefined && accountOfCaller !== undefined
  return areBothKnown && accountOfKey !== accountOfCaller
}

/** What changes the amount of a due-date charge. */
const ADJUSTMENTS = ['/amount/deduction', '/amount/discount', '/amount/fine', '/amount/interest']

/** Whether the request that creates a charge has an adjustment that the contract does not allow, such as `percentage`. */
export function hasOwnAdjustment(exchange: Exchange): boolean {
  return ADJUSTMENTS.some((adjustment) => hasOwnForm(adjustment, exchange))
}

/** Whether an adjustment of a charge is not as the contract has it, so that its meaning is not known. */
function hasOwnForm(adjustment: string, { requestDifferences }: Exchange): boolean {
  return requestDifferences.some(({ pointer }) => pointer.startsWith(adjustment))
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** Characters that a static code has room for, of its message and its key together. */
const MAX_CHARACTERS = 73

/** Lists what is wrong with a static code: an amount of zero, or a message that is too long. */
function listStaticCodeFaults(requestBody: unknown): Cause[] {
  const faults: Cause[] = []
  if (centavosOf(valueAt(requestBody, '/amount')) === 0n) faults.push(ZERO_AMOUNT)

  const message = stringAt(requestBody, '/message') ?? ''
  const key = stringAt(requestBody, '/dict_key') ?? ''
  const isTooLong = [...message, ...key].length > MAX_CHARACTERS
  if (isTooLong) faults.push(buildInvalidCharge('a message that leaves no room for the key'))

  return faults
}

/**
 * Lists what is wrong with a charge, immediate or with a due date: a missing field, an amount of zero,
 * a wrong date, or a reduction that leaves nothing to pay. Such as `no due_date`, and `an amount of zero`.
 */
function listChargeFaults(context: RequestContext): Cause[] {
  const { requestBody, operation } = context.exchange
  const isDueDate = operation?.id === 'createDueDateQrCode'
  const original = valueAt(requestBody, '/amount/original')
  const payer = valueAt(requestBody, '/payer')
  const faults: Cause[] = []

  if (original === undefined) {
    // That it is required is an assumption: an open question of each kind of charge.
    const question = isDueDate ? 'due-date-fields' : 'immediate-fields'
    faults.push(buildMissingField('original', question))
  }
  if (centavosOf(original) === 0n) faults.push(ZERO_AMOUNT)

  if (payer !== undefined) faults.push(...listPayerFaults(payer))
  else if (isDueDate) faults.push(NO_PAYER)

  if (!isDueDate) return faults

  faults.push(...listDueDateFaults(context))
  // What is due can be calculated only of a charge without other faults, and without words of the service's own.
  const isCalculable = faults.length === 0 && !hasOwnAdjustment(context.exchange)
  return isCalculable ? listNothingDueFaults(context) : faults
}

/** The open question about the fields of a payer. */
const PAYER_QUESTION = 'payer-fields'

/** Lists the missing fields of a payer, which needs a name and a tax ID. */
function listPayerFaults(payer: unknown): Cause[] {
  const { name, tax_id } = fieldsOf(payer)
  const faults: Cause[] = []
  if (name === undefined) faults.push(buildMissingField('name of the payer', PAYER_QUESTION))
  if (tax_id === undefined) faults.push(buildMissingField('tax ID of the payer', PAYER_QUESTION))
  return faults
}

/**
 * Lists the fault of a charge whose discount and deduction leave nothing to pay on the day of the request,
 * such as 60.00 and 40.00 of 100.00; none if something is left, or if that is not certain.
 */
function listNothingDueFaults(context: RequestContext): Cause[] {
  const { requestBody } = context.exchange
  const due = stringAt(requestBody, '/calendar/due_date')
  // Without other faults, an amount is there.
  const amount = valueAt(requestBody, '/amount') as ChargeAmount
  // Around midnight, a discount by day may be that of either day.
  const { from, to } = estimateServiceTime(context)
  const days = [dayAt(from), dayAt(to)]
  if (due === undefined || ![due, ...days].every(isCalculableDay)) return []

  const isNothingLeft = days.every((day) => leavesNothing(amount, due, day))
  if (!isNothingLeft) return []

  // A discount until fixed dates that takes all by itself is another fault, so that this one is by day.
  const parts = amount.deduction ? 'a deduction and a discount' : 'a discount by day'
  return [buildInvalidCharge(`${parts} of the whole amount`)]
}

/**
 * Lists what is wrong with the due date of a charge, and with the parts of its amount: `no due_date`,
 * `a due date in the past`, `a discount dated after the due date`.
 */
function listDueDateFaults(context: RequestContext): Cause[] {
  const { requestBody } = context.exchange
  const due = stringAt(requestBody, '/calendar/due_date')
  const faults: Cause[] = []

  // The earliest day that it may be at the service: an earlier due date is certainly past.
  const today = dayAt(estimateServiceTime(context).from)
  if (due === undefined) faults.push(buildMissingField('due_date', 'due-date-fields'))
  else if (due < today) faults.push(buildInvalidCharge('a due date in the past'))

  faults.push(...listFaultsOfAmountParts(readAmount(context.exchange), due))
  return faults
}

/** Reads the amount of a charge without the adjustments of which the meaning is not known. */
function readAmount(exchange: Exchange): Partial<ChargeAmount> {
  let body = exchange.requestBody
  for (const adjustment of ADJUSTMENTS) {
    if (hasOwnForm(adjustment, exchange)) body = withValue(body, adjustment, undefined)
  }
  return fieldsOf(valueAt(body, '/amount'))
}

/**
 * Lists what is wrong with the deduction, the discount, the fine and the interest of a charge, such as `a deduction
 * of the whole amount or more`. The modality of each says how its amount counts: `{ modality: '2', amount: '5.00' }`
 * are 5 percent.
 */
function listFaultsOfAmountParts(amount: Partial<ChargeAmount>, due: string | undefined): Cause[] {
  const { deduction, discount, fine, interest } = amount
  const original = centavosOf(amount.original)
  const faults: Cause[] = []

  if (deduction) {
    const isPercentage = deduction.modality === '2'
    const wholeAmount = isPercentage ? WHOLE_PERCENTAGE : original
    if (takesWhole(deduction.amount, wholeAmount))
      faults.push(buildInvalidCharge('a deduction of the whole amount or more'))
  }

  if (discount) faults.push(...listDiscountFaults(discount, original, due))

  // A discount has its own rules for the amount, above.
  for (const part of [deduction, fine, interest])
    if (part && isIncomplete(part)) faults.push(buildMissingField('amount'))

  return faults
}

/** Whether a part of an amount, such as a fine, lacks its amount or its modality. */
function isIncomplete({ amount, modality }: Partial<Adjustment>): boolean {
  return amount === undefined || modality === undefined
}

/** Modalities of a discount that is a percentage: until a date, by day, and by business day. */
const PERCENTAGE_MODALITIES = ['2', '5', '6']

/**
 * Lists what is wrong with a discount. By its modality, it is granted until fixed dates (1 and 2), or
 * for each day before the due date (3 to 6).
 *
 * @param original The amount of the charge, in centavos.
 * @param due The due date, such as `2026-11-29`.
 */
function listDiscountFaults(
  discount: Partial<Adjustment>,
  original: bigint | undefined,
  due: string | undefined,
): readonly Cause[] {
  const { modality } = discount
  if (modality === undefined) return [buildMissingField('modality')]

  const wholeAmount = PERCENTAGE_MODALITIES.includes(modality) ? WHOLE_PERCENTAGE : original
  const isUntilDate = modality === '1' || modality === '2'
  return isUntilDate
    ? listFaultsOfDatedDiscount(discount, wholeAmount, due)
    : listFaultsOfDailyDiscount(discount, wholeAmount)
}

/**
 * Lists what is wrong with a discount until fixed dates: each date has an amount of its own, less than
 * the whole, and none is after the due date.
 */
function listFaultsOfDatedDiscount(
  discount: Partial<Adjustment>,
  wholeAmount: bigint | undefined,
  due: string | undefined,
): readonly Cause[] {
  const { fixedDateDiscount: dates = [] } = discount
  if (dates.length === 0) return [buildMissingField('fixedDateDiscount')]

  const faults: Cause[] = []
  if (discount.amount !== undefined)
    faults.push(buildInvalidCharge('a discount by date with an amount'))

  const isLate = dates.some(({ date }) => due !== undefined && date > due)
  if (isLate) faults.push(buildInvalidCharge('a discount dated after the due date'))

  const isWhole = dates.some(({ amount }) => takesWhole(amount, wholeAmount))
  if (isWhole) faults.push(WHOLE_DISCOUNT)

  const lacksField = dates.some(({ amount, date }) => amount === undefined || date === undefined)
  if (lacksField) faults.push(buildMissingField('amount or date'))

  return faults
}

/** Lists what is wrong with a discount for each day before the due date: it has one amount, and no dates. */
function listFaultsOfDailyDiscount(
  { amount, fixedDateDiscount: dates }: Partial<Adjustment>,
  wholeAmount: bigint | undefined,
): readonly Cause[] {
  const faults: Cause[] = []
  if (amount === undefined) faults.push(buildMissingField('amount'))
  if (takesWhole(amount, wholeAmount)) faults.push(WHOLE_DISCOUNT)
  if (dates !== undefined) faults.push(buildInvalidCharge('a discount by day with dates'))
  return faults
}

/** Whether a reduction takes all of an amount, or more; false if one of both is not known. */
function takesWhole(reduction: string | undefined, wholeAmount: bigint | undefined): boolean {
  const value = centavosOf(reduction)
  if (value === undefined || wholeAmount === undefined) return false
  return wholeAmount > 0n && value >= wholeAmount
}

function buildInvalidCharge(says: string): Cause {
  return buildApplicableCause('invalid_charge', says)
}

/** By both questions, a due-date charge needs a payer. An acceptance is one finding. */
const NO_PAYER: Cause = {
  ...buildMissingField('payer', PAYER_QUESTION),
  alsoShows: { question: 'due-date-fields', statement: 'payer' },
}

const ZERO_AMOUNT = buildInvalidCharge('an amount of zero')
const WHOLE_DISCOUNT = buildInvalidCharge('a discount of the whole amount or more')

function buildMissingField(name: string, question = 'charge-rules'): Cause {
  return buildApplicableCause('field_missing', `no ${name}`, { question })
}

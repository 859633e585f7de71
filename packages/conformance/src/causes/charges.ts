import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import {
  type Adjustment,
  type ChargeAmount,
  centavosOf,
  dayAt,
  isCalculableDay,
  leavesNothing,
} from '../model/amounts.ts'
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
 * - If its amount, payer, dates or key are wrong, the service should refuse it for these causes.
 * - If nothing is wrong, and the service accepted the key before, a refusal with the code of a cause
 *   is wrong (`applies: false`).
 * - Otherwise, nothing is certain: none.
 */
export function listChargeCauses(context: RequestContext): readonly Cause[] {
  const { requestBody, operation, identity } = context.exchange
  const isStatic = operation?.id === 'createStaticQrCode'
  const faults: Cause[] = isStatic ? listStaticCodeFaults(requestBody) : listChargeFaults(context)
  if (isKeyOfAnotherAccount(context)) faults.push(buildInvalidCharge('the key of another account'))
  if (faults.length > 0) return faults

  // A service may find no ASCII for a character of the message, or take an empty name for none.
  const mayRefuseMessage = isStatic && !isAscii(stringAt(requestBody, '/message') ?? '')
  const mayRefuseName = stringAt(requestBody, '/payer/name') === ''
  if (mayRefuseMessage || mayRefuseName) return []

  // Before that, the service may refuse the key, which nobody may have.
  const key = stringAt(requestBody, '/dict_key')
  const wasKeyAccepted =
    identity !== undefined && key !== undefined && context.model.ledger.hasKey(identity, key)
  if (!wasKeyAccepted) return []
  return [
    buildExcludedCause('invalid_charge', 'a valid charge'),
    buildExcludedCause('field_missing', 'a valid charge'),
  ]
}

/** Whether the key certainly belongs to another account than that of the caller. */
function isKeyOfAnotherAccount({ exchange, model: { ledger } }: RequestContext): boolean {
  const ofKey = ledger.findAccountOfKey(stringAt(exchange.requestBody, '/dict_key') ?? '')
  const ofCaller = exchange.identity && ledger.findAccount(exchange.identity)
  return ofKey !== undefined && ofCaller !== undefined && ofKey !== ofCaller
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** Characters of a message and a key that a static code has room for. */
const MAX_CHARACTERS = 73

/** Lists what is wrong with a static code: an amount of zero, or a message that is too long. */
function listStaticCodeFaults(sent: unknown): Cause[] {
  const faults: Cause[] = []
  if (centavosOf(valueAt(sent, '/amount')) === 0n) faults.push(ZERO)

  const message = stringAt(sent, '/message') ?? ''
  const key = stringAt(sent, '/dict_key') ?? ''
  if ([...message, ...key].length > MAX_CHARACTERS)
    faults.push(buildInvalidCharge('a message that leaves no room for the key'))

  return faults
}

/**
 * Lists what is wrong with a charge, immediate or with a due date: a missing field, an amount of zero,
 * a wrong date, or a reduction that leaves nothing to pay.
 */
function listChargeFaults(context: RequestContext): Cause[] {
  const { requestBody, operation } = context.exchange
  const isDueDate = operation?.id === 'createDueDateQrCode'
  const original = valueAt(requestBody, '/amount/original')
  const payer = valueAt(requestBody, '/payer')
  const faults: Cause[] = []

  if (original === undefined)
    faults.push(buildMissingField('original', isDueDate ? 'due-date-fields' : 'immediate-fields'))

  if (centavosOf(original) === 0n) faults.push(ZERO)

  if (payer !== undefined) faults.push(...listPayerFaults(payer))
  else if (isDueDate) faults.push(buildMissingField('payer', PAYER))

  if (!isDueDate) return faults

  faults.push(...listDueDateFaults(context))
  // What is due can be calculated only of a charge without other faults.
  return faults.length > 0 ? faults : listNothingDueFaults(context)
}

/** The open question about the fields of a payer. */
const PAYER = 'payer-fields'

function listPayerFaults(payer: unknown): Cause[] {
  const { name, tax_id } = fieldsOf(payer)
  const faults: Cause[] = []
  if (name === undefined) faults.push(buildMissingField('name of the payer', PAYER))
  if (tax_id === undefined) faults.push(buildMissingField('tax ID of the payer', PAYER))
  return faults
}

/**
 * Lists the fault of a charge whose discount and deduction leave nothing to pay on the day of the
 * request; none if something is left, or if that is not certain.
 */
function listNothingDueFaults(context: RequestContext): Cause[] {
  const { requestBody } = context.exchange
  const due = stringAt(requestBody, '/calendar/due_date')
  // Without other faults, an amount is there.
  const amount = valueAt(requestBody, '/amount') as ChargeAmount
  if (due === undefined || !isCalculableDay(due)) return []

  // Around midnight, a discount by day may be that of either day.
  const { from, to } = estimateServiceTime(context)
  const isNothingLeft = [from, to].every((time) => leavesNothing(amount, due, dayAt(time)))
  if (!isNothingLeft) return []

  const parts = amount.deduction ? 'a deduction and a discount' : 'a discount by day'
  return [buildInvalidCharge(`${parts} of the whole amount`)]
}

/** Lists what is wrong with the due date of a charge, and with the parts of its amount. */
function listDueDateFaults(context: RequestContext): Cause[] {
  const { requestBody } = context.exchange
  const due = stringAt(requestBody, '/calendar/due_date')
  const amount: Partial<ChargeAmount> = fieldsOf(valueAt(requestBody, '/amount'))
  const { deduction, discount, fine, interest } = amount
  const original = centavosOf(amount.original)
  const faults: Cause[] = []

  if (due === undefined) faults.push(buildMissingField('due_date', 'due-date-fields'))
  else if (due < dayAt(estimateServiceTime(context).from))
    faults.push(buildInvalidCharge('a due date in the past'))

  const isPercentage = deduction?.modality === '2'
  if (isTooMuch(deduction?.amount, isPercentage ? WHOLE_PERCENTAGE : original))
    faults.push(buildInvalidCharge('a deduction of the whole amount or more'))

  if (discount) faults.push(...listDiscountFaults(discount, original, due))

  for (const part of [deduction, fine, interest])
    if (part && isIncomplete(part)) faults.push(buildMissingField('amount'))

  return faults
}

/** Whether a part of an amount, such as a fine, lacks its value or its modality. */
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
  { fixedDateDiscount: dates = [], amount: amountOfAllDates }: Partial<Adjustment>,
  wholeAmount: bigint | undefined,
  due: string | undefined,
): readonly Cause[] {
  if (dates.length === 0) return [buildMissingField('fixedDateDiscount')]

  const faults: Cause[] = []
  if (amountOfAllDates !== undefined)
    faults.push(buildInvalidCharge('a discount by date with an amount'))

  const isLate = dates.some(({ date }) => due !== undefined && date > due)
  if (isLate) faults.push(buildInvalidCharge('a discount dated after the due date'))

  const isWhole = dates.some(({ amount }) => isTooMuch(amount, wholeAmount))
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
  if (isTooMuch(amount, wholeAmount)) faults.push(WHOLE_DISCOUNT)
  if (dates !== undefined) faults.push(buildInvalidCharge('a discount by day with dates'))
  return faults
}

/** 100 percent, in the unit in which `centavosOf` reads a percentage with two decimals. */
const WHOLE_PERCENTAGE = 10_000n

/** Whether a reduction takes all of an amount, or more; false if one of both is not known. */
function isTooMuch(amount: string | undefined, most: bigint | undefined): boolean {
  const value = centavosOf(amount)
  if (value === undefined || most === undefined) return false
  return most > 0n && value >= most
}

function buildInvalidCharge(says: string): Cause {
  return buildApplicableCause('invalid_charge', says)
}

const ZERO = buildInvalidCharge('an amount of zero')
const WHOLE_DISCOUNT = buildInvalidCharge('a discount of the whole amount or more')

function buildMissingField(name: string, question = 'charge-rules'): Cause {
  return buildApplicableCause('field_missing', `no ${name}`, { question })
}

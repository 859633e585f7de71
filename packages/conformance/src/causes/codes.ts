import { tryDecode } from '@partner-payments/brcode'
import { findEntryPointer } from '../contract/behaviour.ts'
import { stringAt, timeAt, valueAt } from '../contract/json.ts'
import { declaredKinds, findState, type Kind } from '../contract/kinds.ts'
import { OPEN, PAID } from '../contract/words.ts'
import {
  type AmountDue,
  amountDue,
  type ChargeAmount,
  centavosOf,
  dayAt,
  findOpenParts,
  isCalculableDay,
  leavesNothing,
  payableUntil,
} from '../model/amounts.ts'
import type { Exchange } from '../model/exchange.ts'
import { hasConcurrentWrite, type KnownRecord, readCertainValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import {
  buildApplicableCause,
  buildExcludedCause,
  type Cause,
  estimateServiceTime,
  type RequestContext,
  type Span,
} from './cause.ts'
import { describeKeyFault } from './keys.ts'
import { isRejected, isSettled, isUsedUp } from './once.ts'
import { findTransfersOfCode } from './payments.ts'

/**
 * Lists the reasons to refuse a payment code: it cannot be decoded, the directory has no entry for its
 * key, or its charge can no longer be paid. A cause with `applies: false` must not be the reason.
 */
export function listCodeCauses(context: RequestContext): readonly Cause[] {
  const emv = stringAt(context.exchange.requestBody, '/emv')
  if (emv === undefined) return []

  const decoded = tryDecode(emv, { profile: 'lenient' })
  if (!decoded.ok) {
    const isChecksum = decoded.error.code === 'crc'
    const says = isChecksum ? 'a code with a wrong checksum' : 'a code that cannot be decoded'
    return [buildApplicableCause('invalid_code', says)]
  }

  const decodable = buildExcludedCause('invalid_code', 'a code that can be decoded')
  if (decoded.code.kind === 'static')
    return listStaticCodeCauses(decoded.code.key, decodable, context)

  // What the last check showed forbids a payment, but not another check.
  const causesOfLastCheck = isCodeCheck(context) ? [] : listCheckedStateCauses(context)
  const record = findCharge(emv, context)
  if (!record) return causesOfLastCheck
  return [decodable, ...listChargeStateCauses(record, context), ...causesOfLastCheck]
}

/**
 * Lists the reason to refuse a payment that the last check of its code shows: the status is that of a paid or
 * a cancelled charge. None if the code was not checked, or can be paid. The charge may be that of anybody.
 */
function listCheckedStateCauses({ exchange, model }: RequestContext): readonly Cause[] {
  const check = model.sources.findCheck(exchange)
  if (!check || check.completeAt > exchange.sentAt) return []

  const status = stringAt(check.responseBody, '/status')
  // A charge with a due date has the same states.
  const kind = declaredKinds.find(({ name }) => name === 'immediateQrCode')
  const refusal = kind && findState(kind, status)?.on?.pay?.refusal
  if (refusal === undefined) return []
  return [buildApplicableCause(refusal, `a charge that its check shows as ${status}`)]
}

/**
 * Lists the reasons to refuse a static code, which anybody may pay any number of times: only that the
 * directory certainly has no entry for its key.
 *
 * @param decodable The cause that is excluded because the code can be decoded.
 */
function listStaticCodeCauses(
  key: string,
  decodable: Cause,
  { model }: RequestContext,
): readonly Cause[] {
  const fault = describeKeyFault(key)
  if (fault !== undefined) return [buildApplicableCause('invalid_code', `a code with ${fault}`)]

  // Of a key that no response has shown, nobody knows whether it has an entry.
  const hasEntry = model.ledger.findKeyEntry(key) !== undefined || model.ledger.hasOwner(key)
  return hasEntry ? [decodable] : []
}

/**
 * Finds what is known of the charge that a dynamic code pays; undefined if none or several charges
 * have the code, or if another request may change the charge at the same time.
 */
export function findCharge(
  emv: string,
  { exchange, model }: RequestContext,
): KnownRecord | undefined {
  const [record, ...others] = model.records.findByCode(emv)
  // A static code, which has no states, is no charge.
  if (!record?.kind.resource.states || others.length > 0) return undefined
  return hasConcurrentWrite(exchange, record) ? undefined : record
}

/**
 * Lists the reasons why a charge can no longer be paid or checked: it was paid, was cancelled, or has
 * expired. Of an open charge, these reasons are excluded; of an unknown state, there are none.
 */
function listChargeStateCauses(record: KnownRecord, context: RequestContext): readonly Cause[] {
  // While a payment is pending, a second one is refused, and a check shows an open charge.
  const isPayment = isCodeCheck(context) ? isSettled : isUsedUp
  const isPaid = isChargePaid(record, context.model, isPayment)
  const status = findOnlyStatus(record, isPaid)

  // A state that declares a refusal of payments is that of a paid or a cancelled charge.
  const state = isPaid ? PAID : status
  const transition = findState(record.kind, state)?.on?.pay
  if (transition?.refusal !== undefined) {
    const says = state === PAID ? 'a paid charge' : 'a cancelled charge'
    const entry = findEntryPointer(transition)
    const details: Partial<Cause> = isCodeCheck(context)
      ? { entry, question: 'code-status-values' }
      : { entry, isJudgedElsewhere: true }
    return [buildApplicableCause(transition.refusal, says, details)]
  }

  // A pending transfer may still pay it.
  const isPaymentUnknown = isPaid === undefined
  if (isPaymentUnknown) return []
  // A service may have a word of its own for a charge that has expired.
  const isUndeclaredStatus = typeof status === 'string' && !findState(record.kind, status)
  if (isUndeclaredStatus)
    return listExpirationCauses(record, context).filter(({ applies }) => applies)
  if (status !== OPEN) return []
  return [...listExcludedStateCauses(record.kind), ...listExpirationCauses(record, context)]
}

/**
 * Lists the causes that are excluded for an open charge: the codes with which its other states, such
 * as paid, refuse a payment.
 */
function listExcludedStateCauses({ resource: { states = {} } }: Kind): readonly Cause[] {
  const refusals = Object.values(states).flatMap(({ on = {} }) => on.pay?.refusal ?? [])
  return [...new Set(refusals)].map((refusal) => buildExcludedCause(refusal, 'an open charge'))
}

/** Finds the only status that a charge may have, by the history; undefined if it may have several. */
function findOnlyStatus(record: KnownRecord, isPaid: boolean | undefined): unknown {
  const statuses = record.fields.get('status') ?? []
  // Payments that were all rejected leave a charge as it was.
  const possible = isPaid === false ? statuses.filter(({ value }) => value !== PAID) : statuses
  return possible.length === 1 ? possible[0]?.value : undefined
}

/** Whether the request checks a code, and does not pay it. */
function isCodeCheck({ exchange }: RequestContext): boolean {
  return exchange.operation?.id === 'checkCode'
}

/**
 * Whether an accepted transfer has paid a charge; undefined if that is not known, as while a transfer
 * is pending.
 *
 * @param isPayment Whether an accepted transfer counts as a payment: once it has settled, or before.
 */
function isChargePaid(
  record: KnownRecord,
  model: Model,
  isPayment: (transfer: Exchange, model: Model) => boolean,
): boolean | undefined {
  const emv = String(readCertainValue(record, 'emv'))
  const transfers = findTransfersOfCode(emv, model)
  if (!transfers) return false

  const areAllRejected = transfers.accepted.every((transfer) => isRejected(transfer, model))
  if (areAllRejected && transfers.unknown.length === 0) return false

  const hasPayment = transfers.accepted.some((transfer) => isPayment(transfer, model))
  return hasPayment ? true : undefined
}

/** Whether a charge has expired when a request is sent. */
export function isExpired(record: KnownRecord, context: RequestContext): boolean {
  return listExpirationCauses(record, context).some(({ applies }) => applies)
}

/**
 * Lists the cause that a charge has expired: it applies after the end of the charge, and is excluded
 * before it. None within the margin by which clocks may differ.
 */
function listExpirationCauses(record: KnownRecord, context: RequestContext): readonly Cause[] {
  const span = estimateServiceTime(context)
  const isDueDate = record.kind.name === 'dueDateQrCode'
  const hasEnded = isDueDate ? isDayOver(record, span) : isTimeOver(record, span)
  if (hasEnded === undefined) return []

  // That a charge with a due date expires is an assumption, which its open question names.
  if (!hasEnded) {
    const cause = buildExcludedCause('code_expired', 'a code before its end')
    return [isDueDate ? { ...cause, question: 'due-date-fields' } : cause]
  }

  const says = 'a code after its end'
  if (isCodeCheck(context))
    return [buildApplicableCause('code_expired', says, { question: 'code-status-values' })]
  if (isDueDate)
    return [buildApplicableCause('code_expired', says, { question: 'due-date-fields' })]
  return [buildApplicableCause('code_expired', says)]
}

/** Whether the last day of a due-date charge is over; undefined if that is not certain. */
function isDayOver(record: KnownRecord, { from, to }: Span): boolean | undefined {
  const last = calculateLastDay(record)
  if (last === undefined) return undefined
  if (dayAt(from) > last) return true
  return dayAt(to) > last ? undefined : false
}

/** Whether the end of an immediate charge is over; undefined if that is not certain. */
function isTimeOver(record: KnownRecord, { from, to }: Span): boolean | undefined {
  const end = calculateExpirationTime(record)
  if (end === undefined) return undefined
  if (from > end) return true
  return to > end ? undefined : false
}

/** Days of a charge beyond which no date is calculated. */
const MAX_DAYS = 10_000

/**
 * Calculates the last day on which a due-date charge can be paid, such as `2026-11-29`: its due date
 * and the days after it that its calendar allows. Undefined if one of both is not known.
 */
function calculateLastDay(record: KnownRecord): string | undefined {
  const calendar = readCertainValue(record, 'calendar')
  const due = stringAt(calendar, '/due_date')
  const daysAfterDue = valueAt(calendar, '/expiration_days')
  if (due === undefined || !isCalculableDay(due)) return undefined
  if (typeof daysAfterDue !== 'number' || daysAfterDue >= MAX_DAYS) return undefined
  return payableUntil(due, daysAfterDue)
}

/** Calculates when an immediate charge expires, in milliseconds since 1970; undefined if unknown. */
export function calculateExpirationTime(record: KnownRecord): number | undefined {
  const knownFields = { created_at: readCertainValue(record, 'created_at') }
  const created = timeAt(knownFields, '/created_at') ?? record.created?.trace.time
  const seconds = valueAt(readCertainValue(record, 'calendar'), '/expiration')
  if (created === undefined || typeof seconds !== 'number') return undefined
  return created + seconds * 1000
}

/**
 * Finds the amount that a payment code fixes now, in centavos: a static code has it in its text, and a
 * charge has what is due on the day of the request. Undefined if it fixes none, or if that is not known.
 */
export function findFixedAmount(emv: string, context: RequestContext): bigint | undefined {
  const staticCode = decodeStaticCode(emv)
  // An amount of zero leaves the amount to the payer.
  if (staticCode) return centavosOf(staticCode.amount) || undefined

  const record = findCharge(emv, context)
  return record && calculateAmountDue(record, context)?.final_amount
}

/**
 * Calculates what a charge costs on the day of a request, by the request that created it. The result
 * has only the parts that are certain, such as `{ original_amount: 1000n, fine: 20n }`.
 */
export function calculateAmountDue(
  { created, kind }: KnownRecord,
  context: RequestContext,
): Partial<AmountDue> | undefined {
  const amount = valueAt(created?.requestBody, '/amount') as ChargeAmount | undefined
  const original = centavosOf(amount?.original)
  if (!created || original === undefined || amount === undefined) return undefined

  const { from, to } = estimateServiceTime(context)
  const day = dayAt(from)
  // An immediate charge has neither reductions nor a fine, so the day does not matter.
  if (kind.name === 'immediateQrCode') return amountDue({ original: amount.original }, day, day)

  const due = stringAt(created.requestBody, '/calendar/due_date')
  if (due === undefined || !isCalculableDay(due)) return undefined

  const isMidnight = day !== dayAt(to)
  if (isMidnight) return undefined

  // The standard does not say what reductions of more than the amount leave.
  const createdOn = dayAt(estimateServiceTime({ ...context, exchange: created }).from)
  if (leavesNothing(amount, due, createdOn)) return undefined

  const parts: Partial<Record<keyof AmountDue, bigint>> = amountDue(amount, due, day)
  for (const name of findOpenParts(amount, due, day)) delete parts[name]
  return parts
}

function decodeStaticCode(emv: string) {
  const decoded = tryDecode(emv, { profile: 'lenient' })
  if (!decoded.ok || decoded.code.kind !== 'static') return undefined
  return decoded.code
}

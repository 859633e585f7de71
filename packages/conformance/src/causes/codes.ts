import { tryDecode } from '@partner-payments/brcode'
import { findEntryPointer } from '../contract/behaviour.ts'
import { findOnlyItem, stringAt, timeAt, valueAt } from '../contract/json.ts'
import { findState, findTransition, type Kind, requireKind } from '../contract/kinds.ts'
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
import { decodeStaticCode } from '../model/code-identity.ts'
import {
  hasConcurrentWrite,
  type KnownRecord,
  listPossibleValues,
  readCertainValue,
} from '../model/records.ts'
import { hasCertainTime } from '../model/unknown.ts'
import {
  buildApplicableCause,
  buildExcludedCause,
  type Cause,
  estimateServiceTime,
  type RequestContext,
  type Span,
} from './cause.ts'
import { hasOwnAdjustment } from './charges.ts'
import { describeKeyFault } from './keys.ts'
import { isRejected, isSettled, isUsedUp } from './once.ts'
import { findTransfersOfCode } from './payments.ts'

/**
 * Lists the reasons to refuse a payment code, of a check or a payment: it cannot be decoded, the directory has
 * no entry for its key, or its charge can no longer be paid. Such as `{ code: 'code_paid', applies: true, … }`.
 * A cause with `applies: false` must not be the reason. None of a request without a code.
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

  if (decoded.code.kind === 'static') return listStaticCodeCauses(decoded.code.key, context)

  // If the last check showed a paid charge, a payment should be refused. Another check may just show it again.
  const causesOfLastCheck = isCodeCheck(context) ? [] : listCheckedStateCauses(context)
  const charge = findCharge(emv, context)
  // A service may find the code invalid if it cannot read the charge of another bank.
  if (!charge) return causesOfLastCheck
  return [NO_INVALID_CODE, ...listChargeStateCauses(charge, context), ...causesOfLastCheck]
}

/** The code can be decoded, so that `invalid_code` is no reason to refuse it. */
const NO_INVALID_CODE = buildExcludedCause('invalid_code', 'a code that can be decoded')

/**
 * Lists the reason to refuse a payment that the last check of its code shows: the status is that of a paid charge,
 * `CONCLUIDA`, or of a cancelled one. None if the code was not checked, or can be paid. This also covers
 * the charges of others, whose creation the history does not show.
 */
function listCheckedStateCauses({ exchange, model }: RequestContext): readonly Cause[] {
  const check = model.sources.findCheck(exchange)
  const wasCheckedBefore = check !== undefined && check.completeAt <= exchange.sentAt
  if (!wasCheckedBefore) return []

  const status = stringAt(check.responseBody, '/status')
  // The code with which the contract refuses a payment in this state. A charge with a due date has the same states.
  const refusal = findTransition(requireKind('immediateQrCode'), status, 'pay')?.refusal
  if (refusal === undefined) return []

  return [buildApplicableCause(refusal, `a charge that its check shows as ${status}`)]
}

/**
 * Lists the reason to refuse a static code, which anybody may pay any number of times: the directory certainly
 * has no entry for its key. If it certainly has one, that reason is excluded. Otherwise none.
 */
function listStaticCodeCauses(key: string, { model }: RequestContext): readonly Cause[] {
  const fault = describeKeyFault(key)
  if (fault !== undefined) return [buildApplicableCause('invalid_code', `a code with ${fault}`)]

  // A look-up found the key, or the service accepted it in a code of its own.
  const hasEntry = model.ledger.findKeyEntry(key) !== undefined || model.ledger.isKeyOfCode(key)
  return hasEntry ? [NO_INVALID_CODE] : []
}

/**
 * Finds what is known of the charge that a dynamic code pays; undefined if none or several charges
 * have the code, or if another request may change the charge at the same time.
 */
export function findCharge(
  emv: string,
  { exchange, model }: RequestContext,
): KnownRecord | undefined {
  const record = findOnlyItem(model.records.findByCode(emv))
  if (!record || hasConcurrentWrite(exchange, record)) return undefined

  // Only charges have states, such as open and paid.
  const isStaticCode = record.kind.resource.states === undefined
  return isStaticCode ? undefined : record
}

/**
 * Lists the reasons why a charge can no longer be paid or checked. A paid one gives `code_paid` alone, a cancelled
 * one `code_cancelled`. An open one excludes both, and `code_expired` applies or is excluded by its end.
 * None if its state is not certain.
 */
function listChargeStateCauses(charge: KnownRecord, context: RequestContext): readonly Cause[] {
  const { kind } = charge
  // Whether the transfers of the history have paid the charge: `paid`, `unpaid` or `unknown`.
  const payment = assessPayment(charge, context)
  // Such as `ATIVA`; undefined if it may have several states.
  const state = payment === 'paid' ? PAID : findOnlyStatus(charge, payment)

  const stateCause = findStateCause(kind, state, context)
  if (stateCause) return [stateCause]

  // A pending transfer may still pay it.
  if (payment === 'unknown') return []

  if (state === OPEN)
    return [...listExcludedStateCauses(kind), ...listExpirationCauses(charge, context)]

  // A service may have a word of its own, such as `EXPIRADA`, for a charge that has expired. Before its end, such a
  // word may mean anything, so that nothing is excluded.
  const isOwnWord = typeof state === 'string' && !findState(kind, state)
  if (!isOwnWord) return []
  return listExpirationCauses(charge, context).filter(({ applies }) => applies)
}

/**
 * Finds the reason to refuse a charge in a state: `CONCLUIDA` gives `code_paid`, a cancelled one `code_cancelled`.
 * Undefined of an open charge, and of a state that the contract does not declare.
 */
function findStateCause(kind: Kind, state: unknown, context: RequestContext): Cause | undefined {
  const transition = findTransition(kind, state, 'pay')
  if (transition?.refusal === undefined) return undefined

  const says = state === PAID ? 'a paid charge' : 'a cancelled charge'
  const entry = findEntryPointer(transition)
  // Whether a check is refused too, or shows the state, is open. Another rule judges charges that are paid twice.
  const details: Partial<Cause> = isCodeCheck(context)
    ? { entry, question: 'code-status-values' }
    : { entry, isJudgedElsewhere: true }
  return buildApplicableCause(transition.refusal, says, details)
}

/**
 * Lists the causes that are excluded for an open charge: the codes with which its other states, such
 * as paid, refuse a payment.
 */
function listExcludedStateCauses({ resource }: Kind): readonly Cause[] {
  const { states = {} } = resource
  const refusals = Object.values(states).flatMap(({ on = {} }) => on.pay?.refusal ?? [])
  return [...new Set(refusals)].map((refusal) => buildExcludedCause(refusal, 'an open charge'))
}

/** Finds the only status that a charge may have, by the history; undefined if it may have several. */
function findOnlyStatus(charge: KnownRecord, payment: ChargePayment): unknown {
  const statuses = listPossibleValues(charge, 'status')
  if (payment !== 'unpaid') return findOnlyItem(statuses)

  // If no transfer has paid it, a record that may be `ATIVA` or `CONCLUIDA` is `ATIVA`.
  return findOnlyItem(statuses.filter((status) => status !== PAID))
}

/** Whether the request checks a code, and does not pay it. */
function isCodeCheck({ exchange }: RequestContext): boolean {
  return exchange.operation?.id === 'checkCode'
}

/** Whether transfers have paid a charge; unknown while one is pending. */
type ChargePayment = 'paid' | 'unpaid' | 'unknown'

/**
 * Assesses whether the transfers of the history have paid a charge: `unpaid` if there is none, or all were
 * rejected, and `unknown` while one may still pay it.
 */
function assessPayment(charge: KnownRecord, context: RequestContext): ChargePayment {
  const { model } = context
  const emv = String(readCertainValue(charge, 'emv'))
  const transfers = findTransfersOfCode(emv, model)
  if (!transfers) return 'unpaid'

  const areAllRejected = transfers.accepted.every((transfer) => isRejected(transfer, model))
  if (areAllRejected && transfers.unknown.length === 0) return 'unpaid'

  // A pending transfer already forbids a second payment (`isUsedUp`), but a check shows the charge as open until
  // the money has moved (`isSettled`).
  const isPayment = isCodeCheck(context) ? isSettled : isUsedUp
  const isPaid = transfers.accepted.some((transfer) => isPayment(transfer, model))
  return isPaid ? 'paid' : 'unknown'
}

/** Whether a charge has expired when a request is sent. */
export function isExpired(record: KnownRecord, context: RequestContext): boolean {
  return assessValidity(record, context) === 'expired'
}

/**
 * Whether a charge has expired when a request is sent, or may just have: the request is so near its end that clocks may
 * see it differently. False if the end is not known, or if only a recorder's clock dates the request.
 */
export function mayBeExpired(record: KnownRecord, context: RequestContext): boolean {
  const validity = assessValidity(record, context)
  if (validity === 'expired') return true
  return validity === 'around the end' && hasCertainTime(context.exchange)
}

const EXPIRED = 'code_expired'

/** Whether a refusal may be for the end of a charge, since nobody knows whether the charge had ended. */
export function mayBeForEnd(code: string, context: RequestContext): boolean {
  const emv = stringAt(context.exchange.requestBody, '/emv')
  if (code !== EXPIRED || emv === undefined) return false

  const charge = findCharge(emv, context)
  return charge !== undefined && !isCertain(assessValidity(charge, context))
}

/**
 * Lists the cause that a charge has expired: it applies after the end of the charge, and is excluded
 * before it. None within the margin by which clocks may differ.
 */
function listExpirationCauses(record: KnownRecord, context: RequestContext): readonly Cause[] {
  const validity = assessValidity(record, context)
  if (!isCertain(validity)) return []

  // That a charge with a due date expires is an assumption, which its open question names.
  const question = isDueDateCharge(record) ? 'due-date-fields' : undefined
  if (validity === 'valid')
    return [{ ...buildExcludedCause(EXPIRED, 'a code before its end'), question }]

  const says = 'a code after its end'
  // Whether the check of an expired code is refused is another open question.
  if (isCodeCheck(context))
    return [buildApplicableCause(EXPIRED, says, { question: 'code-status-values' })]
  return [buildApplicableCause(EXPIRED, says, { question })]
}

/**
 * Whether a charge has expired. It is `around the end` within the margin by which clocks may differ, and `unknown` where
 * no end is known.
 */
type Validity = 'valid' | 'expired' | 'around the end' | 'unknown'

function isCertain(validity: Validity): boolean {
  return validity === 'valid' || validity === 'expired'
}

function isDueDateCharge({ kind }: KnownRecord): boolean {
  return kind.name === 'dueDateQrCode'
}

/** Assesses whether a charge has ended when a request is judged. */
function assessValidity(record: KnownRecord, context: RequestContext): Validity {
  const span = estimateServiceTime(context)
  return isDueDateCharge(record) ? assessLastDay(record, span) : assessExpirationTime(record, span)
}

/** Assesses whether the last day of a due-date charge is over, on all days that the span may have. */
function assessLastDay(record: KnownRecord, { from, to }: Span): Validity {
  const lastDay = calculateLastDay(record)
  if (lastDay === undefined) return 'unknown'
  if (dayAt(from) > lastDay) return 'expired'
  return dayAt(to) > lastDay ? 'around the end' : 'valid'
}

/** Assesses whether an immediate charge has ended: `expired` if its end is before the whole span. */
function assessExpirationTime(record: KnownRecord, { from, to }: Span): Validity {
  const end = calculateExpirationTime(record)
  if (end === undefined) return 'unknown'
  if (from > end) return 'expired'
  return to > end ? 'around the end' : 'valid'
}

/** Days of a charge beyond which no date is calculated. */
const MAX_DAYS = 10_000

/**
 * Calculates the last day on which a due-date charge can be paid, such as `2026-11-29`: its due date
 * and the days after it that its calendar allows (`expiration_days`). Undefined if one of both is not known.
 */
function calculateLastDay(record: KnownRecord): string | undefined {
  const calendar = readCertainValue(record, 'calendar')
  const due = stringAt(calendar, '/due_date')
  const daysAfterDue = valueAt(calendar, '/expiration_days')
  if (due === undefined || !isCalculableDay(due)) return undefined
  if (typeof daysAfterDue !== 'number' || daysAfterDue < 0 || daysAfterDue >= MAX_DAYS)
    return undefined
  return payableUntil(due, daysAfterDue)
}

/**
 * Calculates when an immediate charge expires: its creation and the seconds of its calendar (`expiration`).
 * In milliseconds since 1970; undefined if one of both is not known, or if they lead beyond all dates.
 */
export function calculateExpirationTime(record: KnownRecord): number | undefined {
  const knownFields = { created_at: readCertainValue(record, 'created_at') }
  // As the record shows it, else by the response to its creation.
  const created = timeAt(knownFields, '/created_at') ?? readCreationTime(record)
  const seconds = valueAt(readCertainValue(record, 'calendar'), '/expiration')
  if (created === undefined || typeof seconds !== 'number') return undefined

  const end = created + seconds * 1000
  return isDate(end) ? end : undefined
}

/** Whether a date can be at a time in milliseconds since 1970: none is after the year 275760. */
function isDate(time: number): boolean {
  return !Number.isNaN(new Date(time).getTime())
}

/** Reads when the service responded to the creation of a charge; undefined if only a recorder's clock says that. */
function readCreationTime({ created }: KnownRecord): number | undefined {
  return created && hasCertainTime(created) ? created.trace.time : undefined
}

/**
 * Finds the amount that a payment code fixes now, in centavos: a static code has it in its text, and a
 * charge has what is due on the day of the request. Undefined if it fixes none, or if that is not known.
 */
export function findFixedAmount(emv: string, context: RequestContext): bigint | undefined {
  const staticCode = decodeStaticCode(emv)
  if (staticCode) {
    const amount = centavosOf(staticCode.amount)
    const isLeftToPayer = amount === 0n
    return isLeftToPayer ? undefined : amount
  }

  const record = findCharge(emv, context)
  return record && calculateAmountDue(record, context)?.final_amount
}

/**
 * Calculates what a charge costs on the day of a request, by the request that created it: after the due date,
 * a fine and interest are added. The result has only the parts that are certain, such as
 * `{ original_amount: 1000n, fine: 20n }`. Undefined if its creation or the day is not known.
 */
export function calculateAmountDue(
  { created, kind }: KnownRecord,
  context: RequestContext,
): Partial<AmountDue> | undefined {
  const original = stringAt(created?.requestBody, '/amount/original')
  if (!created || original === undefined || centavosOf(original) === undefined) return undefined

  // What an adjustment in the service's own form means, such as a modality `percentage`, is not known.
  if (hasOwnAdjustment(created)) return undefined

  const { from, to } = estimateServiceTime(context)
  const day = dayAt(from)
  // An immediate charge has neither reductions nor a fine, so the day does not matter.
  if (kind.name === 'immediateQrCode') return amountDue({ original }, day, day)

  const isAroundMidnight = day !== dayAt(to)
  if (isAroundMidnight) return undefined

  const creationTime = estimateServiceTime({ ...context, exchange: created }).from
  const createdOn = dayAt(creationTime)
  return calculateCertainParts(created.requestBody, createdOn, day)
}

/**
 * Calculates what a due-date charge costs on a day, such as `2026-11-29`, by the body that created it. Leaves out
 * the parts that the standard does not settle; undefined if the due date is not known, or if a day cannot be
 * calculated with, such as one of the year 9999 by the clock of the service.
 */
function calculateCertainParts(
  charge: unknown,
  createdOn: string,
  day: string,
): Partial<AmountDue> | undefined {
  const amount = valueAt(charge, '/amount') as ChargeAmount
  const due = stringAt(charge, '/calendar/due_date')
  if (due === undefined || ![due, createdOn, day].every(isCalculableDay)) return undefined

  // The standard does not say what reductions of more than the amount leave.
  if (leavesNothing(amount, due, createdOn)) return undefined

  const parts: Partial<Record<keyof AmountDue, bigint>> = amountDue(amount, due, day)
  // Such as `fine`, if the due date is a Sunday: nobody knows from which day it counts.
  for (const name of findOpenParts(amount, due, day)) delete parts[name]
  return parts
}

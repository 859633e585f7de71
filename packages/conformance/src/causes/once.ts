import type { OneTimeValue } from '@partner-payments/spec/behaviour'
import { durationMs, isFilled, stringAt } from '../contract/json.ts'
import { REJECTED, REJECTED_EVENT, SETTLED, SETTLED_EVENT } from '../contract/words.ts'
import type { Arrival } from '../model/deliveries.ts'
import { readEndToEndIdOfTransfer } from '../model/end-to-end-ids.ts'
import { type Exchange, listTransferIds, nameOf } from '../model/exchange.ts'
import type { Ledger } from '../model/ledger.ts'
import type { Records } from '../model/record-history.ts'
import { PAYMENT, readCertainValue } from '../model/records.ts'
import { compareTaxIds } from '../model/tax-ids.ts'
import { hasCertainTime } from '../model/unknown.ts'
import type { ValueHistory } from '../model/values.ts'
import { worksOnce } from '../model/values.ts'
import type { Model } from '../model.ts'
import type { RequestContext } from './cause.ts'
import { isSameKey } from './keys.ts'

/**
 * Whether an accepted transfer has certainly used up its one-time value, such as the code of a charge: it has
 * settled, or is pending and will settle. A transfer that is rejected later gives the value free again.
 */
export function isUsedUp(transfer: Exchange, model: Model): boolean {
  if (isRejected(transfer, model)) return false
  if (isSettled(transfer, model)) return true

  // A pending transfer to another person is expected to settle. If it was rejected, an event would have said so.
  const isEveryEventShown = model.isComplete && !model.hidesEvents
  return isEveryEventShown && isToAnotherPerson(transfer)
}

/** Whether a transfer certainly has another payer than payee. One to oneself may be rejected. */
function isToAnotherPerson({ responseBody }: Exchange): boolean {
  const payer = stringAt(responseBody, '/data/payer/tax_id') ?? ''
  const payee = stringAt(responseBody, '/data/beneficiary/tax_id') ?? ''
  return compareTaxIds(payer, payee) === 'different'
}

/**
 * Whether a transfer has certainly settled, which means that its money has moved. Its response, an
 * event, the record of its code, or balances that were read after it may show that.
 */
export function isSettled(
  transfer: Exchange,
  { deliveries, ledger, records }: Pick<Model, 'deliveries' | 'ledger' | 'records'>,
): boolean {
  if (stringAt(transfer.responseBody, '/status') === SETTLED) return true
  if (listEventNames(transfer, deliveries).includes(SETTLED_EVENT)) return true
  if (isShownAsPayment(transfer, records)) return true

  // Balances that were read after it say that it has ended, and it was not rejected.
  return isInBalances(transfer, ledger) && !isRejected(transfer, { deliveries, ledger })
}

/**
 * Whether the last balances of a sandbox were read after a transfer. They are read while no transfer is pending,
 * so that it has ended then. False if they do not have its account: the sandbox then writes ids in another way, and
 * may name the rejected transfers in that way too.
 */
function isInBalances({ responseBody, completeAt }: Exchange, { lastBalances }: Ledger): boolean {
  const account = stringAt(responseBody, '/data/account_id')
  if (!lastBalances || account === undefined) return false

  const isAccountNamed = Object.hasOwn(lastBalances.accounts, account)
  return isAccountNamed && completeAt < lastBalances.sentAt
}

/** Whether the record of the code that a transfer pays shows this payment, by its `end_to_end_id`. */
export function isShownAsPayment(
  { requestBody, responseBody }: Exchange,
  records: Records,
): boolean {
  const endToEndId = stringAt(responseBody, '/data/end_to_end_id')
  if (!endToEndId) return false

  for (const record of records.findByCode(stringAt(requestBody, '/emv'))) {
    const payment = readCertainValue(record, PAYMENT)
    if (stringAt(payment, '/end_to_end_id') === endToEndId) return true
  }
  return false
}

/** Whether a transfer was rejected, as its response, an event, or balances read after it showed. */
export function isRejected(
  transfer: Exchange,
  { deliveries, ledger }: Pick<Model, 'deliveries' | 'ledger'>,
): boolean {
  if (stringAt(transfer.responseBody, '/status') === REJECTED) return true

  const events = listEventNames(transfer, deliveries)
  return events.includes(REJECTED_EVENT) || ledger.isRejected(transfer)
}

/** Lists the names of the events that arrived for a transfer. */
function listEventNames(transfer: Exchange, deliveries: Model['deliveries']): readonly string[] {
  const named = listTransferIds(transfer).flatMap((id) => deliveries.listEvents(id))
  const endToEndId = readEndToEndIdOfTransfer(transfer)
  if (endToEndId === undefined) return named

  // A service may show the id of the transfer at a place of its own.
  const ofPayment = deliveries.listArrivalsOfPayment(endToEndId).filter(showsEnd)
  return [...named, ...ofPayment.map(({ event }) => event)]
}

/**
 * Whether an event that names a transfer only by its payment shows the end that its name says. A name of the service's
 * own may have been understood wrongly: `payout.updated` may also come when nothing has moved yet.
 */
function showsEnd({ event, body }: Arrival): boolean {
  if (event === REJECTED_EVENT) return true
  if (event !== SETTLED_EVENT) return false

  const status = stringAt(body, '/data/status')
  const hasOtherStatus = status !== undefined && status !== SETTLED
  const isShown = (field: string) => isFilled(stringAt(body, `/data/${field}`) ?? '')
  return !hasOtherStatus && isShown('settled_at') && !isShown('rejection_message')
}

/**
 * How a request departs from what its one-time value was issued for, such as another caller:
 * `{ about: 'caller', words: 'that was issued to another caller' }`.
 */
export interface Departure {
  /** Names it in the id of a finding. */
  readonly about: string
  /** Names it in a message. */
  readonly words: string
  /** The statement of the question that it breaks. Default: `about`. */
  readonly statement?: string
}

/**
 * Lists how a request departs from what its one-time value was issued for. A transfer with the `initiation_id`
 * that another partner got for another key has two departures, `partner` and `/dict_key`; one that comes after
 * 30 minutes has `expired`. Empty if no response of the history has issued the value.
 *
 * @param declared What the contract says of the value: `{ boundTo: ['caller', '/dict_key'], lifetime: 'PT30M' }`.
 *   `boundTo` names what must be the same in both requests: the caller, or a field by its pointer.
 */
export function findDepartures(
  declared: OneTimeValue,
  valueHistory: ValueHistory,
  context: RequestContext,
): Departure[] {
  const { boundTo = [], lifetime } = declared
  // The exchange whose response issued the value.
  const { issuedBy } = valueHistory
  if (!issuedBy) return []

  const departures: Departure[] = []
  for (const bound of boundTo) {
    const departure =
      bound === 'caller'
        ? findOtherCaller(issuedBy, context.exchange)
        : findOtherField(bound, issuedBy, context)
    if (departure) departures.push(departure)
  }

  if (lifetime !== undefined && isAfterLifetime(durationMs(lifetime), issuedBy, context))
    departures.push({ about: 'expired', words: 'after its lifetime' })
  return departures
}

/**
 * Finds that a value is used by another caller than the one to whom it was issued: another partner, or
 * another customer of the same one. Undefined if it is the same caller, or if one of the two is unknown.
 */
function findOtherCaller(issuedBy: Exchange, exchange: Exchange): Departure | undefined {
  const issuedTo = issuedBy.identity
  const caller = exchange.identity
  if (!issuedTo || !caller) return undefined

  if (issuedTo.partner !== caller.partner)
    return {
      about: 'partner',
      words: 'that was issued to another partner',
      // The open question has one statement about any other caller.
      statement: 'caller',
    }

  if (nameOf(issuedTo) === nameOf(caller)) return undefined
  return { about: 'caller', words: 'that was issued to another caller' }
}

/**
 * Finds that a value was asked for with one field and is used with another: looked up for one key, and used to pay
 * another key. Undefined if the field is the same in both requests, or if a part of their bodies is not known.
 *
 * @param field A pointer into both requests, such as `/dict_key`.
 * @param issuedBy The exchange whose response issued the value.
 */
function findOtherField(
  field: string,
  issuedBy: Exchange,
  context: RequestContext,
): Departure | undefined {
  const { exchange } = context
  if (hasUnknownBody(issuedBy) || hasUnknownBody(exchange)) return undefined

  const askedFor = stringAt(issuedBy.requestBody, field)
  const used = stringAt(exchange.requestBody, field)
  if (used === askedFor) return undefined

  // Whoever looks up `11.222.333/0001-81` may be shown, and then pay, `11222333000181`: the same key.
  const isUsedAsShown = used === readFieldOfLookUp(field, context)
  if (isUsedAsShown && isSameKey(askedFor, used)) return undefined

  return { about: field, words: `with another ${field}` }
}

function hasUnknownBody({ unknown }: Exchange): boolean {
  return unknown.requestBody.length > 0
}

/** Reads a field, such as `/dict_key`, of the look-up that issued the `initiation_id` of a request. */
function readFieldOfLookUp(field: string, { exchange, model }: RequestContext): string | undefined {
  const initiationId = stringAt(exchange.requestBody, '/initiation_id')
  if (initiationId === undefined) return undefined

  const lookUp = model.sources.findIssuingLookUp(initiationId)
  return stringAt(lookUp?.responseBody, field)
}

/**
 * Whether a value is used after its lifetime; false if one of both times is not known.
 *
 * @param issuedBy The exchange whose response issued the value.
 */
function isAfterLifetime(
  lifetimeMs: number,
  issuedBy: Exchange,
  { exchange, model }: RequestContext,
): boolean {
  if (!hasCertainTime(exchange) || !hasCertainTime(issuedBy)) return false

  // Both by the clock of the service.
  const ageMs = model.timeAt(exchange.sentAt) - issuedBy.trace.time
  return ageMs > lifetimeMs
}

/**
 * Lists the earlier transfers that were accepted with the same value that works only once: the same
 * `initiation_id`, or the same code of a charge. Empty if this is the first one.
 */
export function findEarlierTransfers({ exchange, model }: RequestContext): readonly Exchange[] {
  const earlier: Exchange[] = []
  // Such as `{ name: 'initiation', value: 'init_1' }`, whose history has the transfers with it.
  for (const sentValue of model.values.listSentValues(exchange)) {
    const valueHistory = model.values.findValueHistory(sentValue, exchange)
    if (!valueHistory || !worksOnce(sentValue, valueHistory)) continue

    for (const transfer of valueHistory.accepted) {
      const isEarlier = transfer !== exchange && transfer.completeAt <= exchange.completeAt
      if (isEarlier) earlier.push(transfer)
    }
  }
  return earlier
}

/**
 * Whether a response shows an earlier transfer again, by its id. Then the service repeated its earlier
 * response, and need not have moved money a second time.
 */
export function isShownAgain(context: RequestContext): boolean {
  const id = stringAt(context.exchange.responseBody, '/id')
  if (!id) return false

  const earlierTransfers = findEarlierTransfers(context)
  return earlierTransfers.some(({ responseBody }) => stringAt(responseBody, '/id') === id)
}

import type { OneTimeValue } from '@partner-payments/spec/behaviour'
import { durationMs, stringAt } from '../contract/json.ts'
import { REJECTED, REJECTED_EVENT, SETTLED, SETTLED_EVENT } from '../contract/words.ts'
import { type Exchange, type Identity, nameOf } from '../model/exchange.ts'
import type { Records } from '../model/record-history.ts'
import { PAYMENT, readCertainValue } from '../model/records.ts'
import { isSameTaxId } from '../model/tax-ids.ts'
import type { UsedValue } from '../model/values.ts'
import { worksOnce } from '../model/values.ts'
import type { Model } from '../model.ts'
import type { RequestContext } from './cause.ts'

/**
 * Whether an accepted transfer keeps its value used. One that is rejected later frees it, as one to
 * itself may be.
 */
export function isUsedUp(transfer: Exchange, model: Model): boolean {
  if (isRejected(transfer, model)) return false
  if (isSettled(transfer, model)) return true

  const { shown } = transfer
  const payer = stringAt(shown, '/data/payer/tax_id') ?? ''
  const payee = stringAt(shown, '/data/beneficiary/tax_id') ?? ''
  return model.isComplete && isSameTaxId(payer, payee) === false
}

/**
 * Whether a transfer has settled, as its response, an event, the record of its code or a look at the
 * balances showed.
 */
export function isSettled(
  transfer: Exchange,
  { deliveries, ledger, records }: Pick<Model, 'deliveries' | 'ledger' | 'records'>,
): boolean {
  const { shown, completeAt } = transfer
  if (stringAt(shown, '/status') === SETTLED) return true

  if (listTransferEvents(transfer, deliveries).includes(SETTLED_EVENT)) return true
  if (isShownAsPayment(transfer, records)) return true

  // Only a look that names accounts as the service does can show a rejection.
  const { lastBalances: atRest } = ledger
  const account = stringAt(shown, '/data/account_id') ?? ''
  if (!atRest || !Object.hasOwn(atRest.accounts, account)) return false
  return completeAt < atRest.sentAt && !isRejected(transfer, { deliveries, ledger })
}

/** Whether the code that a transfer pays shows its payment. */
function isShownAsPayment({ sent, shown }: Exchange, records: Records): boolean {
  const endToEndId = stringAt(shown, '/data/end_to_end_id')
  if (!endToEndId) return false
  return records.findByCode(stringAt(sent, '/emv')).some((record) => {
    const payment = readCertainValue(record, PAYMENT)
    return stringAt(payment, '/end_to_end_id') === endToEndId
  })
}

/** Whether a transfer was rejected, as its response, an event or a look at the balances showed. */
export function isRejected(
  transfer: Exchange,
  { deliveries, ledger }: Pick<Model, 'deliveries' | 'ledger'>,
): boolean {
  if (stringAt(transfer.shown, '/status') === REJECTED) return true

  const events = listTransferEvents(transfer, deliveries)
  return events.includes(REJECTED_EVENT) || ledger.isRejected(transfer)
}

/** The events of a transfer, which an envelope may give an id of its own. */
function listTransferEvents(
  { shown }: Exchange,
  deliveries: Model['deliveries'],
): readonly string[] {
  const ids = [stringAt(shown, '/id'), stringAt(shown, '/data/id')]
  return [...new Set(ids)].flatMap((id) => (id ? deliveries.listEvents(id) : []))
}

/** How a request departs from what it must be. */
export interface Departure {
  /** Names it in the id of a finding. */
  readonly about: string
  /** Names it in a message. */
  readonly words: string
  /** The statement of the question that it breaks. Default: `about`. */
  readonly statement?: string
}

/**
 * Lists how a request departs from what its one-time value was issued for: another caller, another
 * field that the value is bound to, or a time after its lifetime.
 */
export function findDepartures(
  { boundTo = [], lifetime }: OneTimeValue,
  { issued }: UsedValue,
  context: RequestContext,
): Departure[] {
  const { exchange } = context
  if (!issued) return []

  const departures: Departure[] = []
  for (const bound of boundTo) {
    const departure =
      bound === 'caller'
        ? findOtherCaller(issued.by, exchange.by)
        : findOtherField(bound, issued, exchange)
    if (departure) departures.push(departure)
  }

  const isLate = lifetime !== undefined && isAfterLifetime(durationMs(lifetime), issued, context)
  if (isLate) departures.push({ about: 'expired', words: 'after its lifetime' })
  return departures
}

/** Finds that a value is used by another caller than the one to whom it was issued. */
function findOtherCaller(
  issuedTo: Identity | undefined,
  caller: Identity | undefined,
): Departure | undefined {
  if (!issuedTo || !caller) return undefined
  if (issuedTo.partner !== caller.partner)
    return {
      about: 'partner',
      words: 'that was issued to another partner',
      statement: 'caller',
    }

  if (nameOf(issuedTo) === nameOf(caller)) return undefined
  return { about: 'caller', words: 'that was issued to another caller' }
}

/** @param field A pointer into both requests, such as `/dict_key`. */
function findOtherField(
  field: string,
  issued: Exchange,
  exchange: Exchange,
): Departure | undefined {
  const areBothKnown = issued.unknown.sent.length + exchange.unknown.sent.length === 0
  const isSame = stringAt(issued.sent, field) === stringAt(exchange.sent, field)
  if (!areBothKnown || isSame) return undefined
  return { about: field, words: `with another ${field}` }
}

/** Whether a value is used after its lifetime; false if one of both times is not known. */
function isAfterLifetime(
  lifetimeMs: number,
  issued: Exchange,
  { exchange, model }: RequestContext,
): boolean {
  if (exchange.unknown.times || issued.unknown.times) return false
  const ageMs = model.timeAt(exchange.sentAt) - issued.trace.time
  return ageMs > lifetimeMs
}

/** Lists the earlier transfers that were accepted with a one-time value of this one. */
export function findEarlierTransfers({
  exchange,
  model: { values },
}: RequestContext): readonly Exchange[] {
  const earlier: Exchange[] = []
  for (const use of values.listUses(exchange)) {
    const uses = values.findUses(use, exchange)
    if (!uses || !worksOnce(use, uses)) continue

    for (const accepted of uses.accepted)
      if (accepted !== exchange && accepted.completeAt <= exchange.completeAt)
        earlier.push(accepted)
  }
  return earlier
}

/** Whether a response shows an earlier transfer again, so that it need not have moved money. */
export function isShownAgain(context: RequestContext): boolean {
  const id = stringAt(context.exchange.shown, '/id')
  if (!id) return false
  return findEarlierTransfers(context).some(({ shown }) => stringAt(shown, '/id') === id)
}

import type { Transition } from '@partner-payments/spec/behaviour'
import { stringAt } from '../contract/json.ts'
import { findActionOrPayment, findTransition, listTransitions } from '../contract/kinds.ts'
import { SETTLED } from '../contract/words.ts'
import { type Change, eventsOfOwner, isCreditEvent } from './deliveries.ts'
import { type Exchange, type Identity, nameOf } from './exchange.ts'
import type { Ledger } from './ledger.ts'
import type { Records } from './record-history.ts'
import { hasConcurrentWrite, type KnownRecord, listPossibleValues } from './records.ts'

/**
 * The changes that an accepted request causes and that events report to webhooks: new transfers, changes of the
 * records that it names, and the credit of an account. The payment of a code gives three: of the transfer `tr_1`
 * (`transfer.settled` or `transfer.rejected`), of the code `qr_1` (`qrcode.paid`), and of the credit `E9999…`
 * (`transfer.received`). None of a request that only reads.
 *
 * @param records The records before the request.
 */
export function findChanges(exchange: Exchange, records: Records, ledger: Ledger): Change[] {
  const { operation, identity } = exchange
  if (!operation || !identity || operation.effect === 'read') return []

  const newTransfers = findNewTransfers(exchange, identity)
  const changes: Change[] = [...newTransfers]

  // The records that the request names by an id in its path, or by the code that it pays. A paid code changes only
  // when its transfer settles.
  const [payment] = newTransfers
  for (const record of records.findNamed(exchange)) {
    const change = findChange(exchange, record, payment?.id)
    if (change) changes.push(change)
  }

  const receiver = findReceiver(exchange, records, ledger)
  const credit = receiver ? findCredit(exchange, receiver) : undefined
  if (credit) changes.push(credit)
  return changes
}

/**
 * The transfers that a response shows, each as a change whose owner gets `transfer.settled` or `transfer.rejected`
 * when it ends.
 */
function findNewTransfers(exchange: Exchange, by: Identity): Change[] {
  const transfers = exchange.records.filter(({ kind }) => kind.name === 'transfer')
  return transfers.map(({ kind, id }) => ({
    exchange,
    kind,
    id,
    partner: by.partner,
    events: listTransitions(kind).flatMap(eventsOfOwner),
    // Whether it settles or is rejected, it ends with one of these events.
    isCertain: true,
  }))
}

/**
 * The change that a request causes in a record that it names, with the events that the owner must get: the
 * cancellation of a charge gives `qrcode.cancelled`. Undefined if no event reports it, or nobody knows the owner.
 *
 * @param transfer The id of the transfer that pays the record.
 */
function findChange(
  exchange: Exchange,
  record: KnownRecord,
  transfer: string | undefined,
): Change | undefined {
  const { kind, id, owner } = record
  const transitions = listPossibleTransitions(exchange, record)
  const events = transitions.flatMap(eventsOfOwner)
  if (events.length === 0 || !owner) return undefined

  // With several possible states, or another write at the same time, the event may not come.
  const isStateCertain = listPossibleValues(record, 'status').length === 1
  const isCertain = isStateCertain && !hasConcurrentWrite(exchange, record)
  const change = { exchange, kind, id, partner: owner.partner, events, isCertain }
  if (transfer === undefined) return change

  // The event of the code, `qrcode.paid`, comes only after its transfer is `settled`, or in the state that the contract
  // declares for the payment: `{ to: 'CONCLUIDA', after: 'settled' }`.
  const waiting = transitions.find(({ after }) => after !== undefined)
  return { ...change, after: { transfer, state: waiting?.after ?? SETTLED } }
}

/** The declared transitions that a request causes, from each state that a record may have. */
function listPossibleTransitions({ operation }: Exchange, record: KnownRecord): Transition[] {
  const { kind } = record
  const action = findActionOrPayment(kind, operation?.id)
  const transitions: Transition[] = []
  for (const state of listPossibleValues(record, 'status')) {
    const transition = findTransition(kind, state, action)
    if (transition) transitions.push(transition)
  }
  return transitions
}

/** Whose account a transfer credits: the owner of the code that it pays, or of the key. Undefined if not known. */
function findReceiver(exchange: Exchange, records: Records, ledger: Ledger): Identity | undefined {
  const [paidCode] = records.findNamed(exchange)
  if (paidCode?.owner) return paidCode.owner

  const key = stringAt(exchange.requestBody, '/dict_key')
  return key === undefined ? undefined : ledger.findReceiver(key)
}

/**
 * The credit of an account by a transfer, as a change: the partner of the receiver gets an event that names the
 * `end_to_end_id`. Undefined if the request is no transfer.
 */
function findCredit(exchange: Exchange, receiver: Identity): Change | undefined {
  const { operation, identity, responseBody } = exchange
  const [transfer] = exchange.records
  const endToEndId = stringAt(responseBody, '/data/end_to_end_id')
  if (operation?.id !== 'createTransfer' || !identity || !transfer || !endToEndId) return undefined

  const events = listTransitions(transfer.kind).flatMap((transition) => transition.events ?? [])
  return {
    exchange,
    kind: transfer.kind,
    id: endToEndId,
    partner: receiver.partner,
    events: events.filter(isCreditEvent),
    // A service may reject a transfer of an account to itself, or leave the money where it is.
    isCertain: nameOf(receiver) !== nameOf(identity),
    after: { transfer: transfer.id, state: SETTLED },
  }
}

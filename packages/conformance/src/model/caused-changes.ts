import { stringAt } from '../contract/json.ts'
import { findActionOrPayment, findState, listTransitions } from '../contract/kinds.ts'
import { SETTLED } from '../contract/words.ts'
import { type Change, eventsOfOwner, isCreditEvent } from './deliveries.ts'
import { type Exchange, type Identity, nameOf } from './exchange.ts'
import type { Ledger } from './ledger.ts'
import type { Records } from './record-history.ts'
import { hasConcurrentWrite, type KnownRecord } from './records.ts'

/**
 * The changes that an accepted request causes and that events report: new transfers, changes of the
 * records that it names, and the credit of an account.
 *
 * @param records The records before the request.
 */
export function findChanges(exchange: Exchange, records: Records, ledger: Ledger): Change[] {
  const { operation, identity } = exchange
  if (!operation || !identity || operation.effect === 'read') return []

  const transfers = findNewTransfers(exchange, identity)
  // If the request pays a record, its state changes with the transfer.
  const [transfer] = transfers
  const changes = records
    .findNamed(exchange)
    .flatMap((record) => findChange(exchange, record, transfer?.id) ?? [])
  return [...transfers, ...changes, ...findCredit(exchange, records, ledger)]
}

/** The transfers that a response shows, each as a change. Their events follow when they end. */
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
 * The change that a request causes in a record that it names, with the events that the owner must get.
 * They are those of the declared transitions from each state that the record may have. Undefined if
 * these have no event.
 *
 * @param transfer The id of the transfer that pays the record.
 */
function findChange(
  exchange: Exchange,
  record: KnownRecord,
  transfer: string | undefined,
): Change | undefined {
  const { kind, id, owner, fields } = record
  const states = fields.get('status') ?? []
  const action = findActionOrPayment(kind, exchange.operation?.id) ?? ''
  const transitions = states.flatMap(({ value }) => findState(kind, value)?.on?.[action] ?? [])
  const events = transitions.flatMap(eventsOfOwner)
  if (events.length === 0 || !owner) return undefined

  // A code is paid only once its transfer reaches this state, which is the settled one unless declared.
  const stateOfTransfer = transitions.find(({ after }) => after !== undefined)?.after ?? SETTLED
  return {
    exchange,
    kind,
    id,
    partner: owner.partner,
    events,
    // With several possible states, or another write at the same time, the event may not come.
    isCertain: states.length === 1 && !hasConcurrentWrite(exchange, record),
    after: transfer === undefined ? undefined : { transfer, state: stateOfTransfer },
  }
}

/**
 * The credit of the account that an accepted transfer pays, as a change whose event the owner must get.
 * Empty if the request is no such transfer, or the owner of the account is not known.
 */
function findCredit(exchange: Exchange, records: Records, ledger: Ledger): Change[] {
  const { operation, identity, responseBody, requestBody } = exchange
  const [transfer] = exchange.records
  const endToEndId = stringAt(responseBody, '/data/end_to_end_id')
  if (operation?.id !== 'createTransfer' || !identity || !transfer || !endToEndId) return []

  const [paidCode] = records.findNamed(exchange)
  const key = stringAt(requestBody, '/dict_key')
  const receiver = paidCode?.owner ?? (key === undefined ? undefined : ledger.findReceiver(key))
  if (!receiver) return []

  const { kind, id } = transfer
  const events = listTransitions(kind).flatMap((transition) => transition.events ?? [])
  return [
    {
      exchange,
      kind,
      id: endToEndId,
      partner: receiver.partner,
      events: events.filter(isCreditEvent),
      // Services reject a transfer of an account to itself, or leave the money where it is.
      isCertain: nameOf(receiver) !== nameOf(identity),
      after: { transfer: id, state: SETTLED },
    },
  ]
}

import { isFilled, listFirstLeaves, stringAt } from '../../contract/json.ts'
import { SETTLED_EVENT } from '../../contract/words.ts'
import { centavosOf, readSentAmount } from '../../model/amounts.ts'
import { type Arrival, isCreditEvent } from '../../model/deliveries.ts'
import type { SentTransfer } from '../../model/distinctive-transfers.ts'
import { isEndToEndId, readEndToEndIdOfTransfer } from '../../model/end-to-end-ids.ts'
import { type Exchange, listTransferIds, type Trace } from '../../model/exchange.ts'
import type { Model } from '../../model.ts'
import { citeEarlier, type EndContext } from '../rule.ts'
import { listShownAmounts } from './event-amounts.ts'
import { readAmount, readEndToEndId } from './events.ts'

/** Expects that no event says that a refused transfer has moved money. */
export function expectNoSettledRefusals({ model, report }: EndContext): void {
  // Others may pay meanwhile.
  if (!model.isComplete) return

  const shownNames = listNamesOfTransfers(model)
  for (const arrival of model.deliveries.arrivals) {
    const refused =
      findRefusedByText(arrival, model) ?? findRefusedByAmount(arrival, shownNames, model)
    if (!refused) continue

    const message = 'An event says that a transfer has settled which createTransfer refused.'
    report.failed(arrival.delivery, citeEarlier(refused, 'createTransfer refused it'), message, {
      operation: refused.operation,
      about: 'refused',
    })
  }
}

/** Lists the ids and the `end_to_end_id` that responses have shown of transfers. */
function listNamesOfTransfers({ deliveries }: Model): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { kind, id, exchange } of deliveries.changes) {
    if (kind.name !== 'transfer') continue

    const endToEndId = readEndToEndIdOfTransfer(exchange) ?? id
    for (const name of [id, endToEndId, ...listTransferIds(exchange)]) names.add(name)
  }
  return names
}

/** Milliseconds within which an event can be that of a transfer which was refused. */
const SOON_MS = 60_000

/** Whether an event came within a minute after a request. */
function isSoonAfter({ sentAt }: Pick<Trace, 'sentAt'>, { at }: Arrival): boolean {
  return sentAt <= at && at - sentAt <= SOON_MS
}

/**
 * Finds the refused transfer whose description and amount an event shows. The event names a transfer that no response
 * has shown.
 */
function findRefusedByText(arrival: Arrival, { deliveries, consistency }: Model) {
  const { event, record } = arrival
  if (event !== SETTLED_EVENT) return undefined

  const namesUnknownRecord = record !== '' && deliveries.listChanges(record).length === 0
  if (!namesUnknownRecord) return undefined

  // It may be the event of an accepted transfer, which only names another id.
  const mayBeOfAccepted = deliveries.changes.some(({ exchange }) =>
    hasSameContent(arrival, exchange),
  )
  if (mayBeOfAccepted) return undefined

  const refused = consistency.refusedTransfers.find(
    (transfer) => isSoonAfter(transfer, arrival) && hasSameContent(arrival, transfer),
  )
  return refused?.trace
}

/** Whether an event has the description and the amount of a transfer; false if it has no description. */
function hasSameContent(event: Arrival, transfer: Exchange): boolean {
  const description = stringAt(event.body, '/data/description') ?? ''
  if (!isFilled(description) || description !== stringAt(transfer.requestBody, '/description'))
    return false

  return readSentAmount(transfer) === centavosOf(readAmount(event))
}

/**
 * Finds the refused transfer whose amount an event shows, or the credit of its receiver. The event names no transfer
 * that a response has shown, and all others of this amount were refused too, or had another payment.
 *
 * Another user of the same partner could explain such an event only by the same amount in the same minute. A run sends
 * amounts of four digits by chance, of which there are 3,024.
 */
function findRefusedByAmount(
  arrival: Arrival,
  shownNames: ReadonlySet<string>,
  model: Model,
): Trace | undefined {
  const isOfMoney = arrival.event === SETTLED_EVENT || isCreditEvent(arrival.event)
  if (!isOfMoney || namesTransfer(arrival, shownNames)) return undefined

  for (const amount of listShownAmounts(arrival, model)) {
    const transfers = model.distinctiveTransfers.listTransfersOf(amount)
    const refused = transfers.findLast(
      ({ trace }) => trace.outcome === 'refused' && isSoonAfter(trace, arrival),
    )
    const canBeOfOther = transfers.some((transfer) => canBeOfTransfer(arrival, transfer))
    if (refused && !canBeOfOther) return refused.trace
  }
  return undefined
}

/** Whether an event has the id or the `end_to_end_id` of a transfer in any of its fields. */
function namesTransfer({ received }: Arrival, shownNames: ReadonlySet<string>): boolean {
  const isName = (value: unknown) => typeof value === 'string' && shownNames.has(value)
  return listFirstLeaves(received, 1, isName).length > 0
}

/**
 * Whether an event can be that of a transfer with the same amount: one with an unknown outcome, or an accepted one,
 * unless response and event show two payments. All of Pix names a payment by its `end_to_end_id`.
 */
function canBeOfTransfer(arrival: Arrival, { trace, endToEndId }: SentTransfer): boolean {
  if (trace.outcome === 'refused') return false

  const idOfEvent = readEndToEndId(arrival) ?? arrival.payment ?? ''
  const areBothShown = endToEndId !== undefined && isEndToEndId(idOfEvent)
  return !areBothShown || endToEndId === idOfEvent
}

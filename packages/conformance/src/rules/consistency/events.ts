import { stringAt, timeAt } from '../../contract/json.ts'
import { REJECTED_EVENT, SETTLED_EVENT } from '../../contract/words.ts'
import { centavosOf, reaisOf } from '../../model/amounts.ts'
import { type Arrival, CREDIT_ID, isCreditEvent } from '../../model/deliveries.ts'
import { isEndToEndId, readEndToEndIdOfTransfer } from '../../model/end-to-end-ids.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Model } from '../../model.ts'
import type { Report } from '../../report/report.ts'
import { citeEarlier, type EndContext } from '../rule.ts'
import { expectConsistentEventAmounts } from './event-amounts.ts'

/** An event of a transfer, or of its credit, and the request that made the transfer. */
interface TransferEvent {
  readonly arrival: Arrival
  readonly transfer: Exchange
}

/**
 * Compares the events of each transfer with its response, and with each other: they show one amount, one
 * payment and one end.
 */
export function expectConsistentEvents({ model, report }: EndContext): void {
  const transferEvents = listTransferEvents(model)
  const byTransfer = Map.groupBy(transferEvents, ({ transfer }) => transfer)
  for (const [transfer, events] of byTransfer) {
    for (const event of events) {
      expectAmount(event, report)
      expectSameEndToEndId(event, report)
      expectSameSettledAt(event, report)
    }
    expectOneEnd(transfer, events, report)
    expectNoCreditOfRejected(transfer, events, report)
  }

  const compared = transferEvents.filter(haveBothAmounts)
  const comparedArrivals = new Set(compared.map(({ arrival }) => arrival))
  expectConsistentEventAmounts({ model, report }, comparedArrivals)
}

/**
 * Lists the events about transfers that arrived, each with the request that made its transfer. An event for the
 * payer names the transfer by its id; one for the receiver (a credit event) names it by its `end_to_end_id`.
 */
function listTransferEvents({ deliveries }: Model): TransferEvent[] {
  const transfersByEndToEndId = mapTransfersByEndToEndId(deliveries)

  const events: TransferEvent[] = []
  for (const arrival of deliveries.arrivals) {
    const transfer = isCreditEvent(arrival.event)
      ? transfersByEndToEndId.get(readEndToEndId(arrival) ?? '')
      : findTransferOfEvent(arrival, deliveries)
    if (transfer) events.push({ arrival, transfer })
  }
  return events
}

/**
 * Finds the request of the transfer whose id an event has. Undefined for the events of other records, such as
 * `qrcode.paid`, and for a transfer that the history does not show.
 */
function findTransferOfEvent(
  { record }: Arrival,
  deliveries: Model['deliveries'],
): Exchange | undefined {
  const changes = deliveries.listChanges(record)
  const creation = changes.find(({ kind, id }) => kind.name === 'transfer' && id === record)
  return creation?.exchange
}

/** Maps the `end_to_end_id` that the response to each transfer shows to the exchange of the transfer. */
function mapTransfersByEndToEndId({ changes }: Model['deliveries']): ReadonlyMap<string, Exchange> {
  const transfers = new Map<string, Exchange>()
  for (const { kind, exchange } of changes) {
    if (kind.name !== 'transfer') continue

    const endToEndId = readEndToEndIdOfTransfer(exchange)
    if (endToEndId !== undefined) transfers.set(endToEndId, exchange)
  }
  return transfers
}

/** Reads the id of a payment: it stands in the payment, or beside the fields of its transfer. */
export function readEndToEndId({ body }: Arrival): string | undefined {
  return stringAt(body, CREDIT_ID) ?? stringAt(body, '/data/end_to_end_id')
}

/** Reads the amount that an event shows, of the payment or of the transfer. */
export function readAmount({ body }: Arrival): string | undefined {
  return stringAt(body, '/data/payment/amount') ?? stringAt(body, '/data/amount')
}

/** Whether an event about a transfer and the response to the transfer both show an amount. */
function haveBothAmounts({ arrival, transfer }: TransferEvent): boolean {
  const amountOfResponse = stringAt(transfer.responseBody, '/data/amount')
  return readAmount(arrival) !== undefined && amountOfResponse !== undefined
}

/** Expects that an event about a transfer shows the amount that the response to the transfer shows. */
function expectAmount({ arrival, transfer }: TransferEvent, report: Report): void {
  const amount = centavosOf(readAmount(arrival))
  const expected = centavosOf(stringAt(transfer.responseBody, '/data/amount'))
  if (amount === undefined || expected === undefined) return

  report.expect(
    amount === expected,
    {
      evidence: arrival.delivery,
      operation: transfer.operation?.id,
      cites: citeEarlier(transfer.trace, `createTransfer shows ${reaisOf(expected)}`),
      about: `${arrival.event} amount`,
    },
    () =>
      `The event ${arrival.event} shows ${reaisOf(amount)} of a transfer of ${reaisOf(expected)}.`,
  )
}

/**
 * Expects that an event about a transfer shows the `end_to_end_id` that the response to the transfer
 * shows: all of Pix names one payment by it.
 */
function expectSameEndToEndId({ arrival, transfer }: TransferEvent, report: Report): void {
  const idOfEvent = readEndToEndId(arrival) ?? ''
  const idOfTransfer = readEndToEndIdOfTransfer(transfer)
  if (!isEndToEndId(idOfEvent) || idOfTransfer === undefined) return

  report.expect(
    idOfEvent === idOfTransfer,
    {
      evidence: arrival.delivery,
      operation: transfer.operation?.id,
      cites: citeEarlier(transfer.trace, 'createTransfer shows another end_to_end_id'),
      about: `${arrival.event} end_to_end_id`,
    },
    () => `The event ${arrival.event} shows another payment than the transfer that it names.`,
  )
}

/** Milliseconds between two notations of one time, such as to the second. */
const ROUNDING_MS = 1_000

/**
 * Expects that an event for the payer shows the `settled_at` that the response to the transfer shows, if
 * the transfer had already settled then.
 */
function expectSameSettledAt({ arrival, transfer }: TransferEvent, report: Report): void {
  const isForPayer = !isCreditEvent(arrival.event)
  if (!isForPayer) return

  const timeOfResponse = timeAt(transfer.responseBody, '/data/settled_at')
  const timeOfEvent = timeAt(arrival.body, '/data/settled_at')
  if (timeOfResponse === undefined || timeOfEvent === undefined) return

  report.expect(
    Math.abs(timeOfEvent - timeOfResponse) <= ROUNDING_MS,
    {
      evidence: arrival.delivery,
      operation: transfer.operation?.id,
      cites: citeEarlier(transfer.trace, 'createTransfer shows another settled_at'),
      about: 'settled_at',
    },
    () => `The event ${arrival.event} shows another settled_at than the response to its transfer.`,
  )
}

/**
 * Expects that the events of one transfer do not say both that it has settled and that it was rejected. Does
 * nothing if none says how it ended.
 */
function expectOneEnd(transfer: Exchange, events: readonly TransferEvent[], report: Report): void {
  const findArrival = (name: string) =>
    events.find(({ arrival }) => arrival.event === name)?.arrival
  const settled = findArrival(SETTLED_EVENT)
  const rejected = findArrival(REJECTED_EVENT)
  const anyEnd = rejected ?? settled
  if (!anyEnd) return

  const hasTwoEnds = settled !== undefined && rejected !== undefined
  report.expect(
    !hasTwoEnds,
    {
      evidence: anyEnd.delivery,
      operation: transfer.operation?.id,
      cites: citeEarlier(transfer.trace, 'an event says that the transfer has settled'),
      about: 'two ends',
    },
    () => 'One event says that a transfer has settled, and another one that it was rejected.',
  )
}

/** Expects that no event says that a payee has received the money of a transfer that another says was rejected. */
function expectNoCreditOfRejected(
  transfer: Exchange,
  events: readonly TransferEvent[],
  report: Report,
): void {
  const rejected = events.find(({ arrival }) => arrival.event === REJECTED_EVENT)
  const credit = events.find(({ arrival }) => isCreditEvent(arrival.event))
  if (!rejected || !credit) return

  const cites = citeEarlier(transfer.trace, 'an event says that the transfer was rejected')
  const message = `The event ${credit.arrival.event} shows the payment of a transfer that another event says was rejected.`
  report.failed(credit.arrival.delivery, cites, message, {
    operation: transfer.operation?.id,
    about: 'credit of rejected',
  })
}

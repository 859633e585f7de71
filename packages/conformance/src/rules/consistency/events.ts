import { isEndToEndId } from '../../causes/payments.ts'
import { isFilled, stringAt, timeAt } from '../../contract/json.ts'
import { REJECTED_EVENT, SETTLED_EVENT } from '../../contract/words.ts'
import { centavosOf, reaisOf } from '../../model/amounts.ts'
import { type Arrival, CREDIT_ID, isCreditEvent } from '../../model/deliveries.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Model } from '../../model.ts'
import type { Report } from '../../report/report.ts'
import { citeEarlier, type EndContext } from '../rule.ts'

/** An event of a transfer, or of its credit, and the request that made the transfer. */
interface TransferEvent {
  readonly arrival: Arrival
  readonly transfer: Exchange
}

/** Expects that the events of one payment show one amount, one end and one payment. */
export function expectOwnEvents({ model, report }: EndContext): void {
  const byTransfer = Map.groupBy(listTransferEvents(model), ({ transfer }) => transfer)
  for (const [transfer, events] of byTransfer) {
    for (const event of events) {
      expectAmount(event, report)
      expectPayment(event, report)
      expectTimeOfEnd(event, report)
    }
    expectOneEnd(transfer, events, report)
  }
  for (const arrival of model.deliveries.arrivals) expectAccepted(arrival, { model, report })
}

/** Lists the events of transfers that the history shows, each with its transfer. */
function listTransferEvents({ deliveries }: Model): TransferEvent[] {
  const credits = new Map<string, Exchange>()
  for (const { kind, exchange } of deliveries.changes) {
    const endToEndId = stringAt(exchange.shown, '/data/end_to_end_id') ?? ''
    if (kind.name === 'transfer' && isEndToEndId(endToEndId)) credits.set(endToEndId, exchange)
  }

  return deliveries.arrivals.flatMap((arrival) => {
    const ofTransfer = deliveries
      .listChanges(arrival.record)
      .find(({ kind, id }) => kind.name === 'transfer' && id === arrival.record)
    const transfer = isCreditEvent(arrival.event)
      ? credits.get(readEndToEndId(arrival) ?? '')
      : ofTransfer?.exchange
    return transfer ? [{ arrival, transfer }] : []
  })
}

/** Reads the id of a payment: it stands in the payment, or beside the fields of its transfer. */
function readEndToEndId({ body }: Arrival): string | undefined {
  return stringAt(body, CREDIT_ID) ?? stringAt(body, '/data/end_to_end_id')
}

/** Reads the amount that an event shows, of the payment or of the transfer. */
function readAmount({ body }: Arrival): string | undefined {
  return stringAt(body, '/data/payment/amount') ?? stringAt(body, '/data/amount')
}

/** What is paid, what is credited and what the response shows are one amount. */
function expectAmount({ arrival, transfer }: TransferEvent, report: Report): void {
  const amount = centavosOf(readAmount(arrival))
  const expected = centavosOf(stringAt(transfer.shown, '/data/amount'))
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

/** One transfer is one payment, with one end_to_end_id. */
function expectPayment({ arrival, transfer }: TransferEvent, report: Report): void {
  const shown = readEndToEndId(arrival) ?? ''
  const expected = stringAt(transfer.shown, '/data/end_to_end_id') ?? ''
  if (!isEndToEndId(shown) || !isEndToEndId(expected)) return

  report.expect(
    shown === expected,
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

/** A transfer settles at one time. */
function expectTimeOfEnd({ arrival, transfer }: TransferEvent, report: Report): void {
  const first = timeAt(transfer.shown, '/data/settled_at')
  const last = timeAt(arrival.body, '/data/settled_at')
  if (first === undefined || last === undefined || isCreditEvent(arrival.event)) return

  report.expect(
    Math.abs(last - first) <= ROUNDING_MS,
    {
      evidence: arrival.delivery,
      operation: transfer.operation?.id,
      cites: citeEarlier(transfer.trace, 'createTransfer shows another settled_at'),
      about: 'settled_at',
    },
    () => `The event ${arrival.event} shows another settled_at than the response to its transfer.`,
  )
}

/** A transfer that has settled was not rejected. */
function expectOneEnd(transfer: Exchange, events: readonly TransferEvent[], report: Report): void {
  const find = (name: string) => events.find(({ arrival }) => arrival.event === name)?.arrival
  const settled = find(SETTLED_EVENT)
  const rejected = find(REJECTED_EVENT)
  const last = rejected ?? settled
  if (!last) return

  report.expect(
    !settled || !rejected,
    {
      evidence: last.delivery,
      operation: transfer.operation?.id,
      cites: citeEarlier(transfer.trace, 'an event says that the transfer has settled'),
      about: 'two ends',
    },
    () => 'One event says that a transfer has settled, and another one that it was rejected.',
  )
}

/** Milliseconds within which an event can be that of a transfer which was refused. */
const SOON_MS = 60_000

/** A transfer that was refused has not settled: its text and its amount are in no event. */
function expectAccepted(arrival: Arrival, { model, report }: EndContext): void {
  const { event, record, body, at } = arrival
  const isUnknown = record !== '' && model.deliveries.listChanges(record).length === 0
  const text = stringAt(body, '/data/description') ?? ''
  if (event !== SETTLED_EVENT || !isUnknown || !isFilled(text) || !model.isComplete) return

  const amount = centavosOf(readAmount(arrival))
  const isOfEvent = ({ sent }: Exchange) =>
    stringAt(sent, '/description') === text && centavosOf(stringAt(sent, '/amount')) === amount
  // Its event may only name another id.
  const isOfAccepted = model.deliveries.changes.some(({ exchange }) => isOfEvent(exchange))
  const refused = model.consistency.refusedTransfers.find(
    (transfer) => isOfEvent(transfer) && transfer.sentAt <= at && at - transfer.sentAt <= SOON_MS,
  )
  if (!refused || isOfAccepted) return

  const message = 'An event says that a transfer has settled which createTransfer refused.'
  report.failed(
    arrival.delivery,
    citeEarlier(refused.trace, 'createTransfer refused it'),
    message,
    {
      operation: refused.operation?.id,
      about: 'refused',
    },
  )
}

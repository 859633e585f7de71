import { behaviour } from '../contract/behaviour.ts'
import { durationMs, stringAt } from '../contract/json.ts'
import { type Exchange, nameOf } from '../model/exchange.ts'
import type { UsedValue } from '../model/values.ts'
import type { Model } from '../model.ts'
import { type Requested, those } from './cause.ts'

/**
 * Whether an accepted transfer keeps its value used. One that is rejected later frees it, as one to
 * itself may be.
 */
export function isUsedUp(exchange: Exchange, model: Model): boolean {
  const { shown } = exchange
  const [id = '', status] = ['/id', '/status'].map((it) => stringAt(shown, it))
  const [payer, payee] = ['payer', 'beneficiary'].map((it) => stringAt(shown, `/data/${it}/tax_id`))
  const events = model.deliveries.eventsOf(id)
  if (isRejected(exchange, model)) return false
  return (
    status === 'settled' ||
    events.includes('transfer.settled') ||
    (model.isComplete && payer !== payee)
  )
}

/** Whether a transfer was rejected, as its response, an event or a look at the balances showed. */
export function isRejected(exchange: Exchange, { deliveries, ledger }: Model): boolean {
  const [id = '', status] = ['/id', '/status'].map((it) => stringAt(exchange.shown, it))
  const isReported = deliveries.eventsOf(id).includes('transfer.rejected')
  return status === 'rejected' || isReported || ledger.isRejected(exchange)
}

/** A departure, as the id of a finding and a message name it. */
export type Words = readonly [about: string, words: string]

/** How a transfer departs from what its initiation_id was issued for. */
export function unbound({ issued }: UsedValue, { exchange, model }: Requested): Words[] {
  if (!issued?.by || !exchange.by) return []
  const [key, sent] = [issued, exchange].map((it) => stringAt(it.sent, '/dict_key'))
  return those<Words>([
    [nameOf(issued.by) !== nameOf(exchange.by), ['caller', 'that was issued to another caller']],
    [key !== sent, ['/dict_key', 'with another /dict_key']],
    [
      model.timeAt(exchange.sentAt) - issued.trace.time > LIFETIME,
      ['expired', 'after its lifetime'],
    ],
  ])
}

/** Milliseconds in which an initiation_id works. */
export const LIFETIME = durationMs(behaviour.oneTimeValues.initiation.lifetime)

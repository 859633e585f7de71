import { behaviour } from '../contract/behaviour.ts'
import { durationMs, stringAt } from '../contract/json.ts'
import { type Exchange, nameOf } from '../model/exchange.ts'
import { isSameTaxId } from '../model/tax-ids.ts'
import type { UsedValue } from '../model/values.ts'
import type { Model } from '../model.ts'
import type { Requested } from './cause.ts'

/**
 * Whether an accepted transfer keeps its value used. One that is rejected later frees it, as one to
 * itself may be.
 */
export function isUsedUp(transfer: Exchange, model: Model): boolean {
  if (isRejected(transfer, model)) return false

  const { shown } = transfer
  if (stringAt(shown, '/status') === 'settled') return true

  const events = model.deliveries.eventsOf(stringAt(shown, '/id') ?? '')
  if (events.includes('transfer.settled')) return true

  const payer = stringAt(shown, '/data/payer/tax_id') ?? ''
  const payee = stringAt(shown, '/data/beneficiary/tax_id') ?? ''
  return model.isComplete && isSameTaxId(payer, payee) === false
}

/** Whether a transfer was rejected, as its response, an event or a look at the balances showed. */
export function isRejected(transfer: Exchange, { deliveries, ledger }: Model): boolean {
  if (stringAt(transfer.shown, '/status') === 'rejected') return true

  const events = deliveries.eventsOf(stringAt(transfer.shown, '/id') ?? '')
  return events.includes('transfer.rejected') || ledger.isRejected(transfer)
}

/** How a request departs from what it must be. */
export interface Departure {
  /** Names it in the id of a finding. */
  readonly about: string
  /** Names it in a message. */
  readonly words: string
}

/** How a transfer departs from what its initiation_id was issued for. */
export function unbound({ issued }: UsedValue, { exchange, model }: Requested): Departure[] {
  if (!issued?.by || !exchange.by) return []

  const departures: Departure[] = []
  if (nameOf(issued.by) !== nameOf(exchange.by))
    departures.push({ about: 'caller', words: 'that was issued to another caller' })

  const isKeyKnown = issued.unknown.sent.length + exchange.unknown.sent.length === 0
  if (isKeyKnown && stringAt(issued.sent, '/dict_key') !== stringAt(exchange.sent, '/dict_key'))
    departures.push({ about: '/dict_key', words: 'with another /dict_key' })

  if (exchange.unknown.times || issued.unknown.times) return departures
  const ageMs = model.timeAt(exchange.sentAt) - issued.trace.time
  if (ageMs > LIFETIME_MS) departures.push({ about: 'expired', words: 'after its lifetime' })

  return departures
}

/** Milliseconds in which an initiation_id works. */
export const LIFETIME_MS = durationMs(behaviour.oneTimeValues.initiation.lifetime)

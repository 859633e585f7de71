import type { Contract } from './contract/contract.ts'
import { parsedJson, stringAt } from './contract/json.ts'
import { type Kind, kindsOf } from './contract/kinds.ts'
import type { Placed, RecordedDelivery, RecordedExchange } from './history.ts'
import { Bounded } from './model/bounded.ts'
import { createDeliveries, type Deliveries } from './model/deliveries.ts'
import { type Exchange, exchangeOf, type Trace } from './model/exchange.ts'
import { createLedger, type Ledger } from './model/ledger.ts'
import { createReads, type Reads } from './model/reads.ts'
import { createRecords, type Records } from './model/records.ts'
import { createRefusals, type Refusals } from './model/refusals.ts'
import { createServiceTimes, type ServiceTimes } from './model/service-times.ts'
import { createSources, type Sources } from './model/sources.ts'
import { createTokens, type Tokens } from './model/tokens.ts'
import { createValues, type Values } from './model/values.ts'
import { createWalks, type Walks } from './model/walks.ts'

export interface ModelOptions {
  readonly contract: Contract
  /** Whether nobody else writes to the service, and the history shows all of its traffic. Default: false. */
  readonly isComplete?: boolean
  /** The Basic credentials of the run, as in the header. Default: the first ones of a key that are accepted. */
  readonly credentials?: readonly string[]
  /** Milliseconds by which a list may lag behind a write. Default: 5,000. */
  readonly lagMs?: number
  /** Milliseconds within which an event is delivered, if neither service nor machine is busy. Default: 8,000. */
  readonly deliveryMs?: number
  /** Base URL of a receiver that the service reaches for certain. Default: that of deliveries that arrive. */
  readonly receiverUrl?: string | undefined
  /** Milliseconds that a response may take. Default: any number. */
  readonly responseWithinMs?: number
}

/** What the history has shown so far. */
export interface Model {
  readonly contract: Contract
  readonly kinds: readonly Kind[]
  readonly isComplete: boolean
  readonly credentials: readonly string[]
  readonly lagMs: number
  readonly deliveryMs: number
  readonly deliveries: Deliveries
  readonly serviceTimes: ServiceTimes
  readonly responseWithinMs: number | undefined
  readonly tokens: Tokens
  readonly records: Records
  readonly values: Values
  readonly walks: Walks
  readonly sources: Sources
  readonly ledger: Ledger
  readonly reads: Reads
  readonly refusals: Refusals
  /** Whether the exchange that was sent at a time was accepted; undefined if the history does not show it. */
  wasAccepted(sentAt: number | undefined): boolean | undefined
  /** The request ids of earlier responses. */
  readonly requestIds: ReadonlyMap<string, true>
  /** The time of the service, in milliseconds since 1970, at a time of this machine. */
  timeAt(at: number): number
  /** The time of the service when an earlier response was complete. */
  timeOf(exchange: Pick<Trace, 'time'> | { readonly trace: Trace }): number
  /** When the history began, by the clock of the service. */
  readonly startedAt: number
  /** Whether a creation has an unknown outcome, so that a record may be there that no response has shown. */
  readonly lostCreation: boolean
  /** The types of the events that were delivered about a record. They explain a change, and never set a state. */
  eventsOf(id: string): readonly string[]
  receive(delivery: RecordedDelivery): void
  /** Reads an exchange by what is known before it. */
  read(placed: Placed<RecordedExchange>): Exchange
  fold(exchange: Exchange): void
  moveClock(at: number, now: number): void
  reset(): void
  /** What was forgotten, because the history was too long. */
  readonly forgotten: number
}

export function createModel({
  contract,
  isComplete = false,
  credentials = [],
  lagMs = 5_000,
  deliveryMs = 8_000,
  receiverUrl,
  responseWithinMs,
}: ModelOptions): Model {
  const kinds = kindsOf(contract)
  const tokens = createTokens()
  const records = createRecords(kinds, lagMs)
  const values = createValues(contract, kinds)
  const walks = createWalks(contract)
  const sources = createSources()
  const ledger = createLedger()
  const deliveries = createDeliveries({ kinds, records, receiverUrl })
  const serviceTimes = createServiceTimes()
  const reads = createReads()
  const refusals = createRefusals()
  const outcomes = new Bounded<number, boolean>(10_000)
  const requestIds = new Bounded<string, true>(20_000)
  // The states of records before an exchange say which events follow.
  const parts = [deliveries, records, values, walks, sources, ledger, reads, refusals]
  const events = new Bounded<string, string[]>(10_000)
  let ahead = 0
  let startedAt = Number.POSITIVE_INFINITY
  let lostCreation = false
  const timeAt = (at: number) => at + ahead
  return {
    contract,
    kinds,
    isComplete,
    credentials,
    lagMs,
    deliveryMs,
    deliveries,
    serviceTimes,
    responseWithinMs,
    tokens,
    records,
    values,
    walks,
    sources,
    ledger,
    reads,
    refusals,
    wasAccepted: (sentAt) => (sentAt === undefined ? undefined : outcomes.get(sentAt)),
    requestIds,
    timeAt,
    timeOf: (it) => ('trace' in it ? it.trace.time : it.time),
    read: (placed) => exchangeOf(placed, { contract, kinds, tokenOf: tokens.of, timeAt }),
    get startedAt() {
      return startedAt
    },
    get lostCreation() {
      return lostCreation
    },
    eventsOf: (id) => events.get(id) ?? [],
    receive(delivery) {
      deliveries.receive(delivery)
      const { text } = delivery
      const event = parsedJson(text)
      const [id, type] = ['/data/id', '/type'].map((it) => stringAt(event, it))
      if (id !== undefined && type !== undefined) events.set(id, [...(events.get(id) ?? []), type].slice(-10))
    },
    fold(exchange) {
      startedAt = Math.min(startedAt, timeAt(exchange.sentAt))
      const isShown = exchange.operation !== undefined && exchange.outcome === 'accepted'
      lostCreation ||= exchange.request.method === 'POST' && !isShown && exchange.outcome !== 'refused'
      for (const part of parts) part.fold(exchange)
      outcomes.set(exchange.sentAt, exchange.outcome === 'accepted')
      tokens.fold(exchange, timeAt(exchange.completeAt))
      const id = exchange.response?.headers['x-request-id']
      if (typeof id === 'string') requestIds.set(id, true)
    },
    moveClock(at, now) {
      ahead = now - at
      serviceTimes.move(at, now)
    },
    reset() {
      startedAt = Number.POSITIVE_INFINITY
      deliveries.clear()
      records.clear()
      values.clear()
      ledger.clear()
    },
    get forgotten() {
      return tokens.forgotten + records.forgotten
    },
  }
}

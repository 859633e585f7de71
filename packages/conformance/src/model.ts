import type { Contract } from './contract/contract.ts'
import { learnFrom } from './form/learning.ts'
import { ServiceForm } from './form/service-form.ts'
import type { GivenScheme } from './form/signatures.ts'
import type { Placed, RecordedExchange } from './history.ts'
import { Acceptances } from './model/acceptances.ts'
import { Balances } from './model/balance-history.ts'
import { Bounded } from './model/bounded.ts'
import { ServiceTimes } from './model/clock.ts'
import { Consistency } from './model/consistency.ts'
import { readDate } from './model/date.ts'
import { Deliveries } from './model/delivery-history.ts'
import { DistinctiveTransfers } from './model/distinctive-transfers.ts'
import type { Exchange, ResponseParts } from './model/exchange.ts'
import { LargerPayments } from './model/larger-payments.ts'
import { Ledger } from './model/ledger.ts'
import { readExchange } from './model/read-exchange.ts'
import { Reads } from './model/reads.ts'
import { Records } from './model/record-history.ts'
import { Refusals } from './model/refusal-forms.ts'
import { Responders } from './model/responders.ts'
import { SharedValues } from './model/shared-values.ts'
import { Sources } from './model/sources.ts'
import { Tokens } from './model/tokens.ts'
import { Values } from './model/values.ts'
import { Walks } from './model/walks.ts'

export interface ModelOptions {
  readonly contract: Contract
  /** How the service writes what is assumed. A run sends in this form too. Default: nothing known. */
  readonly form?: ServiceForm | undefined
  /** What the user says of how deliveries are signed. Default: the usual schemes are tried. */
  readonly givenScheme?: GivenScheme | undefined
  /**
   * Whether nobody else writes to the service, and the history shows all of its traffic. Default:
   * false.
   */
  readonly isComplete?: boolean
  /**
   * Whether the history has no events, as the traffic of others, so that nothing shows how a pending
   * transfer ended. Default: false.
   */
  readonly hidesEvents?: boolean
  /**
   * The Basic credentials of the run, as in the header. Default: the first ones of a key that are
   * accepted.
   */
  readonly credentials?: readonly string[]
  /** Milliseconds by which a list, or a balance, may lag behind a write. Default: `LAG_MS`. */
  readonly lagMs?: number
  /**
   * Milliseconds within which an event is delivered, if neither service nor machine is busy.
   * Default: 8,000.
   */
  readonly deliveryMs?: number | undefined
  /**
   * Base URL of a receiver that the service reaches for certain. Default: that of deliveries that
   * arrive.
   */
  readonly receiverUrl?: string | undefined
  /** Milliseconds that a response may take. Default: any number. */
  readonly responseWithinMs?: number | undefined
}

/** Milliseconds by which a list, or a balance, may lag behind a write, unless a run says otherwise. */
export const LAG_MS = 5_000

/** Times in whole seconds may be early by one, and clocks may differ. */
const ROUNDING_MS = 1_500

/** What the history has shown so far, in parts by subject. A rule reads it and changes nothing. */
export class Model {
  readonly contract: Contract
  readonly form: ServiceForm
  readonly hidesEvents: boolean
  readonly credentials: readonly string[]
  readonly lagMs: number
  readonly deliveryMs: number
  readonly responseWithinMs: number | undefined
  readonly deliveries: Deliveries
  readonly records: Records
  readonly values = new Values()
  readonly walks: Walks
  readonly serviceTimes = new ServiceTimes()
  readonly tokens = new Tokens()
  readonly sources = new Sources()
  readonly ledger = new Ledger()
  readonly balances: Balances
  readonly sharedValues = new SharedValues()
  readonly reads = new Reads()
  readonly refusals = new Refusals()
  readonly responders = new Responders()
  readonly consistency = new Consistency()
  readonly distinctiveTransfers = new DistinctiveTransfers()
  readonly largerPayments = new LargerPayments()
  readonly acceptances = new Acceptances()
  /** The request ids of earlier responses. */
  readonly requestIds = new Bounded<string, true>(20_000)
  /** When the history began, by the clock of the service. */
  startedAt = Number.POSITIVE_INFINITY
  /**
   * Whether a creation has an unknown outcome, so that a record may be there that no response has
   * shown.
   */
  lostCreation = false
  /**
   * When creations were refused, by the clock of the service: from when they were sent, until when
   * they ended.
   */
  readonly #refusedCreations = new Bounded<number, number>(10_000)
  /** Whether the history was said to be complete, and all of its writes are known. */
  #isComplete: boolean
  /** When the accepted requests were sent. A variant names its valid request by this time. */
  readonly #acceptedSentAt = new Bounded<number, true>(10_000)

  /** Creates an empty model. Its parts read each other, so that they are created together. */
  constructor(options: ModelOptions) {
    const { isComplete = false, credentials = [], lagMs = LAG_MS, deliveryMs = 8_000 } = options
    this.contract = options.contract
    this.form = options.form ?? new ServiceForm()
    this.#isComplete = isComplete
    this.hidesEvents = options.hidesEvents ?? false
    this.credentials = credentials
    this.lagMs = lagMs
    this.deliveryMs = deliveryMs
    this.responseWithinMs = options.responseWithinMs
    this.records = new Records(lagMs)
    this.walks = new Walks(this.form)
    this.balances = new Balances(lagMs)
    this.deliveries = new Deliveries({
      records: this.records,
      ledger: this.ledger,
      receiverUrl: options.receiverUrl,
      form: this.form,
      timeAt: (at) => this.timeAt(at),
    })
  }

  /** Whether nobody else writes to the service, and the history shows all that was written. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The time of the service, in milliseconds since 1970, at a time of this machine. */
  timeAt(at: number): number {
    return this.serviceTimes.toServiceTime(at)
  }

  /**
   * Whether a creation was refused at a time of the service, which may be written in whole seconds.
   */
  wasCreationRefusedAt(time: number): boolean {
    return [...this.#refusedCreations].some(
      ([from, until]) => from - ROUNDING_MS < time && time < until + ROUNDING_MS,
    )
  }

  /** How many tokens, records and one-time values were forgotten, because the history was too long. */
  get forgotten(): number {
    return this.tokens.forgotten + this.records.forgotten + this.values.forgotten
  }

  /**
   * Reads a recorded exchange by what earlier ones have shown: finds its operation and its identity, and
   * rewrites its bodies in the contract's words. A service may write `PAGO` where the contract has `CONCLUIDA`. If
   * the exchange shows such a word for the first time, it is read again with it.
   */
  read(placed: Placed<RecordedExchange>): Exchange {
    const { request, completeAt, intent } = placed.event
    const date = readDate(placed.event)
    if (date !== undefined) this.serviceTimes.noteDate(date, placed.event)

    const token = this.tokens.findToken(request.headers.authorization)
    // A refused variant proves something only if the request that it was edited from was accepted.
    const isVariant = intent?.variantOf !== undefined && this.#acceptedSentAt.has(intent.variantOf)
    const context = {
      contract: this.contract,
      form: this.form,
      findResponder: (parts: ResponseParts) => this.responders.findResponder(parts),
      acceptances: this.acceptances,
      isVariant,
      token,
      time: this.timeAt(completeAt),
    }
    const exchange = readExchange(placed, context)
    // Whether it shows such a word, which is in the form from now on.
    const hasLearned = learnFrom(exchange, this)
    if (!hasLearned) return exchange

    this.records.rereadStates(this.form)
    return readExchange(placed, context)
  }

  /**
   * Takes in an exchange after the rules have read it: each part of the model remembers what it shows, for
   * the exchanges after it.
   */
  fold(exchange: Exchange): void {
    this.startedAt = Math.min(this.startedAt, this.timeAt(exchange.sentAt))
    if (mayCreateUnseen(exchange)) this.lostCreation = true
    if (isWriteUnknown(exchange)) this.#isComplete = false

    // Before the records change: the states that they had before the exchange say which events follow.
    this.deliveries.fold(exchange)
    this.records.fold(exchange)
    this.values.fold(exchange)
    this.largerPayments.fold(exchange, this.consistency)
    this.consistency.fold(exchange, this.walks)
    this.distinctiveTransfers.fold(exchange)
    this.#notePage(exchange)
    this.walks.fold(exchange)
    this.sources.fold(exchange)
    this.ledger.fold(exchange)
    this.balances.fold(exchange)
    this.sharedValues.fold(exchange)
    this.reads.fold(exchange)
    this.refusals.fold(exchange)
    this.responders.fold(exchange)
    this.acceptances.fold(exchange)
    this.tokens.fold(exchange)

    this.#rememberOutcome(exchange)

    const { requestId } = exchange.trace
    if (requestId !== undefined) this.requestIds.set(requestId, true)
  }

  /** Notes in the form whether a page leads on, since the result of a run names the lists whose first pages do not. */
  #notePage(exchange: Exchange): void {
    const page = this.walks.readPage(exchange)
    if (!page || !exchange.operation) return

    const { unreadPages } = this.form
    const list = exchange.operation.id
    if (page.previous) unreadPages.noteLaterPage(list)
    else if (page.signOfMore !== undefined) unreadPages.noteSign(list, page.signOfMore)
  }

  /** Remembers when a request was accepted, or when a creation was refused. */
  #rememberOutcome({ sentAt, completeAt, outcome, request }: Exchange): void {
    if (outcome === 'accepted') this.#acceptedSentAt.set(sentAt, true)

    const isCreation = request.method === 'POST'
    if (isCreation && outcome === 'refused')
      this.#refusedCreations.set(this.timeAt(sentAt), this.timeAt(completeAt))
  }
}

/**
 * Whether a request may have created a record that no response has shown: a creation with a timeout or a 5xx, or an
 * accepted POST that the contract does not have, or whose response shows no id.
 */
function mayCreateUnseen(exchange: Exchange): boolean {
  const { operation, outcome, request } = exchange
  const isCreation = request.method === 'POST'
  if (!isCreation || outcome === 'refused') return false

  const isKnown = operation !== undefined && outcome === 'accepted'
  // One whose id has a name that is not known yet.
  const isWithoutId = operation?.role === 'create' && exchange.records.length === 0
  return !isKnown || isWithoutId
}

/**
 * Whether a request wrote something, and a part of what it wrote is not known, such as a field that a recorder
 * redacted. False of requests that only read.
 */
function isWriteUnknown(exchange: Exchange): boolean {
  const { operation, unknown } = exchange
  if (operation?.effect === 'read') return false

  if (unknown.target || unknown.times) return true
  return isPartOfBodyUnrecorded(exchange) || unknown.responseBody.length > 0
}

/**
 * Whether a recorder left out a part of the request body. A body may also be unknown because a plan has nested it too
 * deeply to be read. That does not count: its response shows what was written.
 */
function isPartOfBodyUnrecorded({ request, unknown }: Exchange): boolean {
  const isBodyUnrecorded = request.unrecorded?.body !== undefined
  return isBodyUnrecorded && unknown.requestBody.length > 0
}

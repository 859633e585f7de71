import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, findOnlyItem, isSameValue, type Json, stringAt } from '../contract/json.ts'
import { DECLARED_PLACES, type DeliveryPlaces, learnEvents } from '../form/delivery-form.ts'
import { findMessagePlace } from '../form/message-ids.ts'
import type { ServiceForm } from '../form/service-form.ts'
import {
  describeScheme,
  findScheme,
  type GivenScheme,
  isSigned,
  isSignedByStandard,
  readSignedTime,
  type SignatureScheme,
} from '../form/signatures.ts'
import type { RecordedDelivery } from '../history.ts'
import { MAX_COPY_GAP_MS, readArrival, TIME_HEADER } from './arrivals.ts'
import { Bounded } from './bounded.ts'
import { findChanges } from './caused-changes.ts'
import type { Arrival, Change, KnownWebhook } from './deliveries.ts'
import { type EventIdFields, learnEventIdFields } from './event-ids.ts'
import type { Exchange } from './exchange.ts'
import type { Ledger } from './ledger.ts'
import type { Records } from './record-history.ts'

/** Where requests and responses about a webhook have its parts: `{ url: '/url', secret: '/secret', … }`. */
const { subscription } = behaviour.deliveries
/** The operations on the records that receive events. */
const webhooks = behaviour.resources.webhook.operations

/** Limits of what is remembered: entries of each kind, and changes of one record or webhook. */
const MAX_ENTRIES = 10_000
const MAX_CHANGES = 100
/** So many characters of deliveries are tried for the scheme of the service, which takes up to a thousand hashes of each. */
const MAX_TRIED_CHARACTERS = 1_000_000

/** What is said of signatures. */
interface ConcludeOptions {
  /** The declared header of signatures. */
  readonly signatureHeader: string
  /** What the user says of the service's own scheme. */
  readonly givenScheme?: GivenScheme | undefined
}

interface DeliveriesOptions {
  /** The records before an exchange is folded. */
  readonly records: Records
  /** The keys and accounts before it is folded. */
  readonly ledger: Ledger
  /** Base URL of a receiver that the service reaches for certain. */
  readonly receiverUrl: string | undefined
  /** How the service writes what is assumed. */
  readonly form: ServiceForm
  /** The time of the service at a time of this machine. */
  readonly timeAt: (at: number) => number
}

/** Where the deliveries of a service have their parts. */
interface KnownParts {
  readonly places: DeliveryPlaces
  /** Default: the records are at their declared places. */
  readonly idFields?: EventIdFields
}

/** A webhook whose settings the next exchanges may change. */
type ChangingWebhook = { -readonly [name in keyof KnownWebhook]: KnownWebhook[name] }

/**
 * The webhooks, the changes of records that their events report, and what arrived. `fold` remembers an
 * exchange, `receive` a delivery, and `conclude` reads the deliveries at the end.
 */
export class Deliveries {
  #arrivals: Arrival[] = []
  /** How deliveries are signed, if it is not as declared. */
  scheme: SignatureScheme | undefined
  /** What the user says of that. */
  givenScheme: GivenScheme | undefined
  /** When the last event of the history was complete. */
  lastAt = 0
  readonly #webhooks = new Bounded<string, ChangingWebhook>(MAX_ENTRIES)
  /** By the id of the record, or the `end_to_end_id` of a credit. */
  readonly #changes = new Bounded<string, Change[]>(MAX_ENTRIES)
  /** Base URLs whose deliveries are all part of the history. */
  readonly #observedBases: Set<string>
  readonly #records: Records
  readonly #ledger: Ledger
  readonly #form: ServiceForm
  readonly #timeAt: (at: number) => number
  /** Whether new webhooks are in the state that the contract assumes. */
  #isInitialStateKnown = true

  constructor({ records, ledger, receiverUrl, form, timeAt }: DeliveriesOptions) {
    this.#records = records
    this.#ledger = ledger
    this.#observedBases = new Set(receiverUrl === undefined ? [] : [receiverUrl])
    this.#form = form
    this.#timeAt = timeAt
  }

  /** What arrived, in the form of the contract as far as the service's own is known. */
  get arrivals(): readonly Arrival[] {
    return this.#arrivals
  }

  /**
   * Learns at the end of a history how the service signs its deliveries and names its events, such as
   * `payment.completed` for `transfer.settled`, and notes it in the form. Then reads all deliveries again in this form.
   */
  conclude({ signatureHeader, givenScheme }: ConcludeOptions): void {
    this.givenScheme = givenScheme
    const received = this.#arrivals.map(({ delivery }) => delivery)
    this.#learnScheme(received, signatureHeader)
    // Also says where the bodies have the type of their event, such as at `/event`.
    const places = learnEvents(received, this.changes, this.#form)
    this.#arrivals = this.#readAgain(received, { places })

    const withoutRecord = this.#arrivals.filter(({ record }) => record === '')
    const idFields = learnEventIdFields(withoutRecord, {
      changes: this.changes,
      findWebhookAt: (url) => this.findWebhookAt(url),
    })
    if (idFields.size > 0) this.#arrivals = this.#readAgain(received, { places, idFields })
  }

  /** Reads deliveries again, now that it is known where their bodies have their parts. */
  #readAgain(received: readonly RecordedDelivery[], parts: KnownParts): Arrival[] {
    const messagePlace = findMessagePlace(received, parts.places)
    const options = { ...parts, form: this.#form, messagePlace }
    // If only some deliveries lack their time, that is a difference, which no other time may hide.
    const isAnyTimeShown = received.some(({ headers }) => headers[TIME_HEADER] !== undefined)
    if (isAnyTimeShown) return received.map((delivery) => readArrival(delivery, options))

    const readSignedAttempt = this.#createAttemptReader(received)
    return received.map((delivery) => {
      const signedAt = readSignedAttempt(delivery)
      const attemptedAt = signedAt ?? this.#timeAt(delivery.completeAt)
      return readArrival(delivery, {
        ...options,
        attemptedAt,
        isTimeSigned: signedAt !== undefined,
      })
    })
  }

  /**
   * Creates a function that reads when a delivery was attempted, as the service signs it in a scheme of its own. The
   * function returns undefined if nothing is signed, or if the signed time is that of the event and not of the attempt.
   */
  #createAttemptReader(
    received: readonly RecordedDelivery[],
  ): (delivery: RecordedDelivery) => number | undefined {
    const { scheme } = this
    if (scheme === undefined || !signsEachAttempt(received, scheme)) return () => undefined
    return (delivery) => readSignedTime(delivery, scheme)
  }

  /** Whether a delivery verifies with a secret, by the declared scheme or that of the service. */
  isSigned(delivery: RecordedDelivery, secret: string, signatureHeader: string): boolean {
    if (this.scheme) return isSigned(delivery, secret, this.scheme)
    return isSignedByStandard(delivery, secret, signatureHeader)
  }

  /**
   * Finds how the service signs, such as with HMAC-SHA-256 in hexadecimal digits in the header `x-signature`, and
   * remembers it in `scheme` and in the form. Does nothing if any delivery has the signature that the contract
   * declares, or if none has one that is understood.
   */
  #learnScheme(deliveries: readonly RecordedDelivery[], signatureHeader: string): void {
    for (const delivery of deliveries) {
      const secrets = this.#secretsAt(delivery.url)
      const isSignedAsDeclared = secrets.some((secret) =>
        isSignedByStandard(delivery, secret, signatureHeader),
      )
      if (isSignedAsDeclared) return
    }

    let triedCharacters = 0
    for (const delivery of deliveries) {
      const secrets = this.#secretsAt(delivery.url)
      if (secrets.length === 0) continue

      // A right service signs all of them, so that the first ones are enough.
      triedCharacters += delivery.text.length
      if (triedCharacters > MAX_TRIED_CHARACTERS) return

      const scheme = findScheme(delivery, secrets, this.givenScheme)
      if (!scheme) continue

      // A service signs all deliveries in one way.
      this.scheme = scheme
      this.#form.learnSignature(describeScheme(scheme))
      return
    }
  }

  /** The secrets of all webhooks that have, or had, a URL. */
  #secretsAt(url: string): readonly string[] {
    const webhooks = this.listWebhooksAt(url)
    return webhooks.flatMap(({ secrets }) => secrets.map(({ secret }) => secret))
  }

  get webhooks(): readonly KnownWebhook[] {
    return [...this.#webhooks.values()]
  }

  /**
   * The webhooks that have, or had, a URL. None once one is forgotten, since it may have been that
   * one.
   */
  listWebhooksAt(url: string): readonly KnownWebhook[] {
    if (this.#webhooks.forgotten > 0) return []
    return this.webhooks.filter(({ versions }) => versions.some((version) => version.url === url))
  }

  /**
   * The only webhook that has, or had, a URL. Where several have it, nobody knows which one a
   * delivery is for.
   */
  findWebhookAt(url: string): KnownWebhook | undefined {
    return findOnlyItem(this.listWebhooksAt(url))
  }

  get changes(): readonly Change[] {
    return [...this.#changes.values()].flat()
  }

  /** The changes of a record. */
  listChanges(record: string): readonly Change[] {
    return this.#changes.get(record) ?? []
  }

  /** The types of the events about a record. They explain a change, and never set a state. */
  listEvents(record: string): readonly string[] {
    const arrivals = this.arrivals.filter((arrival) => arrival.record === record)
    return arrivals.map(({ event }) => event)
  }

  /** Lists what arrived about the payment with an `end_to_end_id`, in whichever field the record shows it. */
  listArrivalsOfPayment(endToEndId: string): readonly Arrival[] {
    return this.#arrivals.filter(({ payment }) => payment === endToEndId)
  }

  /** Whether nothing that was received is forgotten. */
  get isWhole(): boolean {
    return (
      this.#arrivals.length < MAX_ENTRIES &&
      this.#webhooks.forgotten + this.#changes.forgotten === 0
    )
  }

  /** Whether everything that is sent to a URL is part of the history. */
  isObserved(url: string): boolean {
    return this.#observedBases.has(readBase(url))
  }

  /** Remembers a delivery, and that the run receives what is sent to URLs like its own. */
  receive(delivery: RecordedDelivery): void {
    this.#observedBases.add(readBase(delivery.url))
    this.lastAt = Math.max(this.lastAt, delivery.completeAt)
    const arrival = readArrival(delivery, { places: DECLARED_PLACES, form: this.#form })
    if (this.#arrivals.length < MAX_ENTRIES) this.#arrivals.push(arrival)
  }

  /**
   * Takes in the next exchange: remembers what it says of webhooks, and the changes that it causes, such as a
   * new transfer. Deliveries must report them later.
   */
  fold(exchange: Exchange): void {
    const { operation, outcome, parameters } = exchange
    this.lastAt = Math.max(this.lastAt, exchange.completeAt)

    if (operation?.id === webhooks.create && outcome === 'accepted')
      this.#rememberCreation(exchange)

    const webhook = this.#webhooks.get(parameters.webhook_id ?? '')
    if (webhook) this.#rememberRequestAbout(webhook, exchange)

    this.#rememberShownWebhooks(exchange)
    if (outcome === 'accepted') this.#rememberChanges(exchange)
  }

  /** Adds the webhook that an accepted request creates, with its first settings and its secret. */
  #rememberCreation(exchange: Exchange): void {
    const { requestBody, responseBody, identity } = exchange
    const id = stringAt(responseBody, '/id')
    const url = stringAt(requestBody, subscription.url)
    if (id === undefined || url === undefined || identity === undefined) return

    const version = {
      by: exchange,
      url,
      type: stringAt(requestBody, subscription.type.field),
      state: subscription.receives.state,
    }
    const secret = stringAt(responseBody, subscription.secret)
    this.#webhooks.set(id, {
      id,
      partner: identity.partner,
      versions: [version],
      secrets: secret === undefined ? [] : [{ secret, by: exchange }],
      areSettingsKnown: this.#isInitialStateKnown,
    })
  }

  /**
   * Remembers what a request that names a webhook changes of it. A webhook with too many changes is
   * forgotten, which bounds the memory.
   */
  #rememberRequestAbout(webhook: ChangingWebhook, exchange: Exchange): void {
    const { outcome, operation } = exchange
    const isWrite = operation !== undefined && operation.effect !== 'read'
    if (isWrite && outcome !== 'refused') this.#rememberWrite(webhook, operation.id, exchange)

    const hasTooManyChanges = webhook.versions.length + webhook.secrets.length > MAX_CHANGES
    if (hasTooManyChanges) this.#webhooks.forget(webhook.id)
  }

  /** Remembers the new settings, or the new secret, that a write gives to a webhook, and whether they are certain. */
  #rememberWrite(webhook: ChangingWebhook, operation: string, exchange: Exchange): void {
    if (exchange.outcome === 'unknown') {
      webhook.areSettingsKnown = false
      return
    }

    webhook.areSettingsKnown = this.#areKnownAfterWrite(webhook, operation, exchange)
    if (operation === webhooks.rotateSecret) rotateSecret(webhook, exchange)
    else addVersion(webhook, operation, exchange)
  }

  /** Whether the settings of a webhook are known after an accepted write. Mostly, they are if they were known before. */
  #areKnownAfterWrite(webhook: KnownWebhook, operation: string, { beside }: Exchange): boolean {
    // Two requests at once may take effect in any order.
    const isNamedBeside = beside.some(({ request }) => request.path.includes(webhook.id))
    if (isNamedBeside) return false

    // The first update says in which state the webhook is, although nobody knows in which one it began.
    const isFirstUpdate = operation === webhooks.update && webhook.versions.length === 1
    if (isFirstUpdate && !this.#isInitialStateKnown) return true

    return webhook.areSettingsKnown
  }

  /** Compares each webhook that a response shows with what is known of it. */
  #rememberShownWebhooks({ records }: Exchange): void {
    for (const { kind, id, fields } of records) {
      const webhook = kind.name === 'webhook' ? this.#webhooks.get(id) : undefined
      if (webhook) this.#rememberShownSettings(webhook, fields)
    }
  }

  /**
   * Compares the settings that a response shows, such as `{ url, type, status: 'active' }`, with the last known ones.
   * If they differ, `areSettingsKnown` becomes false, and no rule judges what the webhook receives.
   */
  #rememberShownSettings(webhook: ChangingWebhook, shown: Json): void {
    const last = webhook.versions.at(-1)
    if (!last) return

    // A setting that the response does not show is not compared.
    const { url = last.url, type = last.type, status = last.state } = shown
    const hasOtherState = status !== last.state
    const hasOtherTarget = type !== last.type || !isSameValue(last.url, url)
    if (hasOtherState || hasOtherTarget) webhook.areSettingsKnown = false

    // The contract only assumes that a new webhook is active, and this service starts in another state.
    const isNew = webhook.versions.length === 1
    if (hasOtherState && isNew) this.#isInitialStateKnown = false
  }

  /** Remembers the changes that events report, up to 100 of each record, and counts those that are too many. */
  #rememberChanges(exchange: Exchange): void {
    for (const change of findChanges(exchange, this.#records, this.#ledger)) {
      const earlier = this.listChanges(change.id)
      if (earlier.length < MAX_CHANGES) this.#changes.set(change.id, [...earlier, change])
      else this.#changes.forgotten++
    }
  }
}

/** Adds the new secret of a webhook, if the response shows it. */
function rotateSecret(webhook: ChangingWebhook, exchange: Exchange): void {
  const secret = stringAt(exchange.responseBody, subscription.secret)
  if (secret === undefined) webhook.areSettingsKnown = false
  else webhook.secrets = [...webhook.secrets, { secret, by: exchange }]
}

/**
 * Adds the settings of a webhook after a write, as its newest version. Fields that the write leaves out stay as
 * they are: `{ status: 'inactive' }` keeps the URL.
 */
function addVersion(webhook: ChangingWebhook, operation: string, exchange: Exchange): void {
  const last = webhook.versions.at(-1)
  if (!last) return

  const { url = last.url, type = last.type, status = last.state } = fieldsOf(exchange.requestBody)
  const isDeletion = operation === webhooks.delete
  const version = {
    by: exchange,
    url: String(url),
    // Whatever the request sends: a service may take it.
    type: String(type),
    state: isDeletion ? 'deleted' : String(status),
  }
  webhook.versions = [...webhook.versions, version]
}

/** A URL without the last part of its path, which names the inbox of a webhook. */
function readBase(url: string): string {
  return url.replace(/\/[^/]*$/, '')
}

/**
 * Whether each attempt of a delivery signs a time of its own. False if a later attempt signs the same time, which is
 * then that of the event. What comes again within 2.5 seconds is a copy of the same attempt.
 */
function signsEachAttempt(received: readonly RecordedDelivery[], scheme: SignatureScheme): boolean {
  // When each signed time, with its URL and body, arrived first.
  const firstArrivals = new Map<string, number>()
  for (const delivery of received) {
    const { url, text, completeAt } = delivery
    const signed = `${readSignedTime(delivery, scheme)} ${url} ${text}`
    const firstAt = firstArrivals.get(signed) ?? completeAt
    firstArrivals.set(signed, firstAt)
    const isLaterAttempt = completeAt - firstAt > MAX_COPY_GAP_MS
    if (isLaterAttempt) return false
  }
  return true
}

import type { Transition } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, isSameValue, parsedJson, stringAt } from '../contract/json.ts'
import { actionOn, type Kind, stateOf, transitionsOf } from '../contract/kinds.ts'
import {
  bodyInContract,
  DECLARED_PLACES,
  type DeliveryPlaces,
  learnEvents,
} from '../form/delivery-form.ts'
import type { OwnForm } from '../form/own-form.ts'
import {
  findScheme,
  type GivenScheme,
  isSigned,
  isSignedByStandard,
  type SignatureScheme,
  schemeInWords,
} from '../form/signatures.ts'
import type { RecordedDelivery } from '../history.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, type Identity, nameOf } from './exchange.ts'
import type { Records } from './known-records.ts'
import type { Ledger } from './ledger.ts'
import { isBeside } from './records.ts'

/** How a webhook was set, from an accepted write on. */
export interface WebhookVersion {
  readonly by: Exchange
  readonly url: string
  readonly type: string | undefined
  /** `active`, another state, or `deleted`. */
  readonly state: string
}

export interface KnownWebhook {
  readonly id: string
  readonly partner: string
  /** The newest last. */
  readonly versions: readonly WebhookVersion[]
  readonly secrets: readonly { readonly secret: string; readonly by: Exchange }[]
  /**
   * Whether it is known how it is set: no write has an unknown outcome, and no response showed
   * something else.
   */
  readonly isSure: boolean
}

/** A change of a record that events report, or a credit. */
export interface Change {
  readonly exchange: Exchange
  readonly kind: Kind
  /** The id of the record; of a credit, its `end_to_end_id`. */
  readonly id: string
  /** Whose webhooks receive the events. */
  readonly partner: string
  /** The events of which one follows, or may follow. */
  readonly events: readonly string[]
  /** Whether one follows: the state before is known, and nothing else was on its way. */
  readonly isCertain: boolean
  /** The transfer that must be in a state first, which its own event shows. */
  readonly after?: { readonly transfer: string; readonly state: string } | undefined
}

/** A delivery, with what its body names, in the form of the contract. */
export interface Arrival {
  readonly delivery: RecordedDelivery
  readonly at: number
  readonly body: unknown
  /** The body as the service wrote it. */
  readonly received: unknown
  /** Its name as the service wrote it; empty if it has none. */
  readonly name: string
  /** Its type; empty if it has none. */
  readonly event: string
  /** The id of its record, or the `end_to_end_id` of a credit; empty if it has none. */
  readonly record: string
  /** The id that all attempts share (Standard Webhooks 1.0.0). */
  readonly message: string | undefined
  /** What attempts of one delivery have in common: their id, or the body of a service without ids. */
  readonly identity: string
  /**
   * The time of the attempt in milliseconds: by its header, or when it arrived at a service that sends
   * no such header.
   */
  readonly attemptedAt: number
  /** Whether a header shows that time. */
  readonly isTimeShown: boolean
}

const { subscription } = behaviour.deliveries
/** The operations on the records that receive events. */
const webhooks = behaviour.resources.webhook.operations

/** Webhooks, records and arrivals that are remembered, and changes of each. */
const MOST = 10_000
const MOST_CHANGES = 100

interface ConcludeOptions {
  /** The declared header of signatures. */
  readonly signatureHeader: string
  /** What the user says of the service's own scheme. */
  readonly givenScheme?: GivenScheme | undefined
}

interface DeliveriesOptions {
  readonly records: Records
  readonly ledger: Ledger
  readonly receiverUrl: string | undefined
  readonly form: OwnForm
  readonly timeAt: (at: number) => number
}

/** A webhook that this history may still change. */
type Known = { -readonly [name in keyof KnownWebhook]: KnownWebhook[name] }

/** The webhooks, the changes of which they receive events, and what arrived. */
export class Deliveries {
  #arrivals: Arrival[] = []
  /** How deliveries are signed, if it is not as declared. */
  scheme: SignatureScheme | undefined
  /** When the last event of the history was complete. */
  lastAt = 0
  readonly #webhooks = new Bounded<string, Known>(MOST)
  readonly #changes = new Bounded<string, Change[]>(MOST)
  readonly #bases: Set<string>
  readonly #records: Records
  readonly #ledger: Ledger
  readonly #form: OwnForm
  readonly #timeAt: (at: number) => number
  /** Whether a new webhook is in the state that is assumed. */
  #isInitialKnown = true

  /**
   * @param records The records before an exchange is folded.
   * @param ledger The keys and accounts before it is folded.
   * @param receiverUrl Base URL of a receiver that the service reaches for certain.
   * @param form How the service writes what is assumed.
   * @param timeAt The time of the service at a time of this machine.
   */
  constructor({ records, ledger, receiverUrl, form, timeAt }: DeliveriesOptions) {
    this.#records = records
    this.#ledger = ledger
    this.#bases = new Set(receiverUrl === undefined ? [] : [receiverUrl])
    this.#form = form
    this.#timeAt = timeAt
  }

  /** What arrived, in the form of the contract as far as the service's own is known. */
  get arrivals(): readonly Arrival[] {
    return this.#arrivals
  }

  /**
   * Learns at the end of a history how the service names and signs its events, and reads what arrived
   * in this form.
   */
  conclude({ signatureHeader, givenScheme }: ConcludeOptions): void {
    this.#learnScheme(signatureHeader, givenScheme)

    const received = this.#arrivals.map(({ delivery }) => delivery)
    const places = learnEvents(received, this.changes, this.#form)
    const hasTimes = received.some(({ headers }) => headers[TIME_HEADER] !== undefined)
    this.#arrivals = received.map((delivery) =>
      arrivalOf(delivery, {
        places,
        form: this.#form,
        ...(!hasTimes && { attemptedAt: this.#timeAt(delivery.completeAt) }),
      }),
    )
  }

  /** Whether a delivery verifies with a secret, by the declared scheme or that of the service. */
  isSigned(delivery: RecordedDelivery, secret: string, signatureHeader: string): boolean {
    if (this.scheme) return isSigned(delivery, secret, this.scheme)
    return isSignedByStandard(delivery, secret, signatureHeader)
  }

  /** The scheme by which deliveries verify, if no delivery verifies by the declared one. */
  #learnScheme(signatureHeader: string, given: GivenScheme | undefined): void {
    const signed = this.#arrivals.map(({ delivery }) => ({
      delivery,
      secrets: this.webhooksAt(delivery.url).flatMap((webhook) =>
        webhook.secrets.map(({ secret }) => secret),
      ),
    }))
    const isAsDeclared = signed.some(({ delivery, secrets }) =>
      secrets.some((secret) => isSignedByStandard(delivery, secret, signatureHeader)),
    )
    if (isAsDeclared) return

    for (const { delivery, secrets } of signed) {
      this.scheme ??= findScheme(delivery, secrets, given)
      if (!this.scheme) continue
      const value = schemeInWords(this.scheme)
      this.#form.learn({ name: 'signature', value, question: 'signature' })
      return
    }
  }

  get webhooks(): readonly KnownWebhook[] {
    return [...this.#webhooks.values()]
  }

  /**
   * The webhooks that have, or had, a URL. None once one is forgotten, since it may have been that
   * one.
   */
  webhooksAt(url: string): readonly KnownWebhook[] {
    if (this.#webhooks.forgotten > 0) return []
    return this.webhooks.filter(({ versions }) => versions.some((it) => it.url === url))
  }

  /**
   * The only webhook that has, or had, a URL. Where several have it, nobody knows which one a
   * delivery is for.
   */
  webhookAt(url: string): KnownWebhook | undefined {
    const [webhook, ...others] = this.webhooksAt(url)
    return others.length === 0 ? webhook : undefined
  }

  get changes(): readonly Change[] {
    return [...this.#changes.values()].flat()
  }

  /** The changes of a record. */
  changesOf(record: string): readonly Change[] {
    return this.#changes.get(record) ?? []
  }

  /** The types of the events about a record. They explain a change, and never set a state. */
  eventsOf(record: string): readonly string[] {
    return this.arrivals.filter((it) => it.record === record).map(({ event }) => event)
  }

  /** Whether nothing that was received is forgotten. */
  get isWhole(): boolean {
    return this.#arrivals.length < MOST && this.#webhooks.forgotten + this.#changes.forgotten === 0
  }

  /** Whether everything that is sent to a URL is part of the history. */
  isObserved(url: string): boolean {
    return this.#bases.has(baseOf(url))
  }

  receive(delivery: RecordedDelivery): void {
    this.#bases.add(baseOf(delivery.url))
    this.lastAt = Math.max(this.lastAt, delivery.completeAt)
    const arrival = arrivalOf(delivery, { places: DECLARED_PLACES, form: this.#form })
    if (this.#arrivals.length < MOST) this.#arrivals.push(arrival)
  }

  fold(exchange: Exchange): void {
    const { operation, outcome, parameters } = exchange
    this.lastAt = Math.max(this.lastAt, exchange.completeAt)

    if (operation?.id === webhooks.create && outcome === 'accepted') this.#create(exchange)

    const webhook = this.#webhooks.get(parameters.webhook_id ?? '')
    if (webhook) this.#change(webhook, exchange)

    this.#compare(exchange)
    if (outcome === 'accepted') this.#foldChanges(exchange)
  }

  #create(exchange: Exchange): void {
    const { sent, shown, by } = exchange
    const id = stringAt(shown, '/id')
    const url = stringAt(sent, subscription.url)
    if (id === undefined || url === undefined || by === undefined) return

    const version = {
      by: exchange,
      url,
      type: stringAt(sent, subscription.type.field),
      state: subscription.receives.state,
    }
    const secret = stringAt(shown, subscription.secret)
    this.#webhooks.set(id, {
      id,
      partner: by.partner,
      versions: [version],
      secrets: secret === undefined ? [] : [{ secret, by: exchange }],
      isSure: this.#isInitialKnown,
    })
  }

  /** A request that names a webhook may change it. */
  #change(webhook: Known, exchange: Exchange): void {
    const { outcome, operation } = exchange
    const isWrite = operation !== undefined && operation.effect !== 'read'
    if (isWrite && outcome !== 'refused') this.#write(webhook, operation.id, exchange)

    const isTooLong = webhook.versions.length + webhook.secrets.length > MOST_CHANGES
    if (isTooLong) this.#webhooks.forget(webhook.id)
  }

  #write(webhook: Known, operation: string, exchange: Exchange): void {
    const { outcome, beside } = exchange
    const isUnsure =
      outcome === 'unknown' || beside.some(({ request }) => request.path.includes(webhook.id))
    const isFirstUpdate = operation === webhooks.update && webhook.versions.length === 1

    if (isUnsure) webhook.isSure = false
    else if (isFirstUpdate && !this.#isInitialKnown) webhook.isSure = true

    if (outcome === 'unknown') return
    if (operation === webhooks.rotateSecret) rotateSecret(webhook, exchange)
    else addVersion(webhook, operation, exchange)
  }

  /** A webhook that is shown in another way than it was set may be set in either. */
  #compare({ records }: Exchange): void {
    for (const { kind, id, fields } of records) {
      const webhook = kind.name === 'webhook' ? this.#webhooks.get(id) : undefined
      const last = webhook?.versions.at(-1)
      if (!webhook || !last) continue

      const { url = last.url, type = last.type, status = last.state } = fields
      const isOtherState = status !== last.state
      const isOther = isOtherState || type !== last.type || !isSameValue(last.url, url)
      if (isOther) webhook.isSure = false

      const isNew = webhook.versions.length === 1
      if (isOtherState && isNew) this.#isInitialKnown = false
    }
  }

  #foldChanges(exchange: Exchange): void {
    const changes = [
      ...changesBy(exchange, this.#records),
      ...creditsBy(exchange, this.#records, this.#ledger),
    ]
    for (const change of changes) {
      const earlier = this.changesOf(change.id)
      if (earlier.length < MOST_CHANGES) this.#changes.set(change.id, [...earlier, change])
      else this.#changes.forgotten++
    }
  }
}

function rotateSecret(webhook: Known, exchange: Exchange): void {
  const secret = stringAt(exchange.shown, subscription.secret)
  if (secret === undefined) webhook.isSure = false
  else webhook.secrets = [...webhook.secrets, { secret, by: exchange }]
}

/** What a write leaves out stays as it is. */
function addVersion(webhook: Known, operation: string, exchange: Exchange): void {
  const last = webhook.versions.at(-1)
  if (!last) return

  const { url = last.url, type = last.type, status = last.state } = fieldsOf(exchange.sent)
  const version = {
    by: exchange,
    url: String(url),
    type: String(type),
    state: operation === webhooks.delete ? 'deleted' : String(status),
  }
  webhook.versions = [...webhook.versions, version]
}

function baseOf(url: string): string {
  return url.replace(/\/[^/]*$/, '')
}

const TIME_HEADER = 'webhook-timestamp'

interface ArrivalForm {
  readonly places: DeliveryPlaces
  readonly form: OwnForm
  /** The time of the attempt, where no delivery has a header with it. */
  readonly attemptedAt?: number
}

function arrivalOf(
  delivery: RecordedDelivery,
  { places, form, attemptedAt }: ArrivalForm,
): Arrival {
  const { headers } = delivery
  const received = parsedJson(delivery.text)
  const body = bodyInContract(received, places, form)
  const event = stringAt(body, '/type') ?? ''
  const id = isOfCredit(event) ? CREDIT_ID : '/data/id'
  return {
    delivery,
    at: delivery.completeAt,
    body,
    received,
    name: stringAt(received, places.event) ?? '',
    event,
    record: stringAt(body, id) ?? '',
    message: headers['webhook-id'],
    identity: headers['webhook-id'] ?? delivery.text,
    isTimeShown: attemptedAt === undefined,
    attemptedAt: attemptedAt ?? Number(headers[TIME_HEADER]) * 1000,
  }
}

/** The changes that an accepted request causes, by the declared transitions with an event. */
function changesBy(exchange: Exchange, records: Records): Change[] {
  const { operation, by } = exchange
  if (!operation || !by || operation.effect === 'read') return []

  const changes: Change[] = []
  for (const { kind, id } of exchange.records) {
    if (kind.name !== 'transfer') continue
    changes.push({
      exchange,
      kind,
      id,
      partner: by.partner,
      events: transitionsOf(kind).flatMap(eventsOfOwner),
      isCertain: true,
    })
  }

  const transfer = changes[0]?.id
  for (const record of records.named(exchange)) {
    const { kind, id, owner } = record
    const allowed = record.fields.get('status') ?? []
    const action = actionOn(kind, operation.id) ?? ''
    const transitions = allowed.flatMap(({ value }) => stateOf(kind, value)?.on?.[action] ?? [])
    const events = transitions.flatMap(eventsOfOwner)
    if (events.length === 0 || !owner) continue

    const state = transitions.find(({ after }) => after !== undefined)?.after ?? SETTLED

    changes.push({
      exchange,
      kind,
      id,
      partner: owner.partner,
      events,
      isCertain: allowed.length === 1 && !isBeside(exchange, record),
      after: transfer === undefined ? undefined : { transfer, state },
    })
  }
  return changes
}

/** The state of a transfer that has moved money. */
const SETTLED = 'settled'

/** The place of the `end_to_end_id` in the event of a credit. */
export const CREDIT_ID = '/data/payment/end_to_end_id'

/** Whether the partner whose account is credited receives an event, and not the owner of a record. */
export function isOfCredit(event: string): boolean {
  return behaviour.events[event]?.receiver === 'beneficiary'
}

/** The credit of an account of this history, by an accepted transfer. */
function creditsBy(exchange: Exchange, records: Records, ledger: Ledger): Change[] {
  const { operation, by, shown, sent } = exchange
  const [transfer] = exchange.records
  const endToEndId = stringAt(shown, '/data/end_to_end_id') ?? ''
  if (operation?.id !== 'createTransfer' || !by || !transfer || endToEndId === '') return []

  const [code] = records.named(exchange)
  const key = stringAt(sent, '/dict_key')
  const receiver = code?.owner ?? (key === undefined ? undefined : ledger.receiverOf(key))
  if (!receiver) return []

  const { kind, id } = transfer
  return [
    {
      exchange,
      kind,
      id: endToEndId,
      partner: receiver.partner,
      events: transitionsOf(kind).flatMap(eventsOfCredit),
      // Services reject a transfer of an account to itself, or leave the money where it is.
      isCertain: !isSame(receiver, by),
      after: { transfer: id, state: SETTLED },
    },
  ]
}

function isSame(one: Identity, other: Identity): boolean {
  return nameOf(one) === nameOf(other)
}

/** The events of the transitions to a state. */
export function eventsTo(kind: Kind, state: unknown): string[] {
  const transitions = transitionsOf(kind).filter(({ to }) => to === state)
  return transitions.flatMap(eventsOfOwner)
}

/** The events of a transition that the owner of the record receives. */
function eventsOfOwner(transition: Transition | undefined): string[] {
  return (transition?.events ?? []).filter((name) => !isOfCredit(name))
}

function eventsOfCredit({ events = [] }: Transition): string[] {
  return events.filter(isOfCredit)
}

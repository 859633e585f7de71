import { fieldsOf, isSameValue, parsedJson, stringAt } from '../contract/json.ts'
import { actionOf, fieldName, type Kind } from '../contract/kinds.ts'
import type { RecordedDelivery } from '../history.ts'
import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'
import { mayConcern, type Records } from './records.ts'

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
  /** Whether it is known how it is set: no write has an unknown outcome, and no response showed something else. */
  readonly isSure: boolean
}

/** A change of a record that events report. */
export interface Change {
  readonly exchange: Exchange
  readonly kind: Kind
  readonly id: string
  /** Whose webhooks receive the events. */
  readonly partner: string
  /** The events of which one follows, or may follow. */
  readonly events: readonly string[]
  /** Whether one follows: the state before is known, and nothing else was on its way. */
  readonly isCertain: boolean
  /** Another record that must reach a state first, which its own event shows. */
  readonly after?: { readonly id: string; readonly event: string }
}

/** A delivery, with what its body names. */
export interface Arrival {
  readonly type: 'delivery'
  readonly delivery: RecordedDelivery
  readonly at: number
  readonly body: unknown
  readonly event: string | undefined
  /** The id of its record. */
  readonly record: string | undefined
  /** The id that all attempts share (Standard Webhooks 1.0.0). */
  readonly message: string | undefined
  /** The time of the attempt by its header, in milliseconds. */
  readonly attemptedAt: number
}

/** The webhooks, the changes that they are told of, and what arrived. */
export interface Deliveries {
  readonly webhooks: readonly KnownWebhook[]
  readonly changes: readonly Change[]
  readonly arrivals: readonly Arrival[]
  /** Whether nothing that was received is forgotten. */
  readonly isWhole: boolean
  /** When the last event of the history was complete. */
  readonly lastAt: number
  /** Whether everything that is sent to a URL is part of the history. */
  isObserved(url: string): boolean
  /** The changes of a record. */
  changesOf(record: string | undefined): readonly Change[]
  fold(exchange: Exchange): void
  receive(delivery: RecordedDelivery): void
  clear(): void
}

/** Limits of what is remembered. */
const MOST = 10_000
type Known = { -readonly [name in keyof KnownWebhook]: KnownWebhook[name] }

interface Options {
  readonly kinds: readonly Kind[]
  /** The records before an exchange is folded. */
  readonly records: Records
  /** Base URL of a receiver that the service reaches for certain. */
  readonly receiverUrl: string | undefined
}

export function createDeliveries({ kinds, records, receiverUrl }: Options): Deliveries {
  const webhooks = new Bounded<string, Known>(MOST)
  const changes = new Bounded<string, Change[]>(MOST)
  const arrivals: Arrival[] = []
  const bases = new Set(receiverUrl === undefined ? [] : [receiverUrl])
  const kind = kinds.find(({ name }) => name === 'webhook')
  let lastAt = 0
  /** Whether a new webhook is in the state that is assumed. */
  let isInitialKnown = true

  function create({ sent, shown, by, exchange }: Created): void {
    const [id, secret] = ['/id', '/secret'].map((it) => stringAt(shown, it))
    const url = stringAt(sent, '/url')
    if (id === undefined || url === undefined || by === undefined) return
    const [state = 'active'] = kind?.resource.initial ?? []
    const versions = [{ by: exchange, url, type: stringAt(sent, '/type'), state }]
    const secrets = secret === undefined ? [] : [{ secret, by: exchange }]
    webhooks.set(id, { id, partner: by.partner, versions, secrets, isSure: isInitialKnown })
  }

  function change(webhook: Known, exchange: Exchange, action: string | undefined): void {
    const last = webhook.versions.at(-1)
    if (action === 'read' || action === undefined || !last || exchange.outcome === 'refused') return
    if (exchange.outcome === 'unknown' || exchange.beside.some((it) => it.request.path.includes(webhook.id)))
      webhook.isSure = false
    else if (action === 'update' && !isInitialKnown && webhook.versions.length === 1) webhook.isSure = true
    if (exchange.outcome === 'unknown') return
    const secret = stringAt(exchange.shown, '/secret')
    if (action === 'rotate') {
      if (secret === undefined) webhook.isSure = false
      else webhook.secrets = [...webhook.secrets, { secret, by: exchange }]
      return
    }
    const { url = last.url, type = last.type, status = last.state } = fieldsOf(exchange.sent)
    const state = action === 'delete' ? 'deleted' : String(status)
    webhook.versions = [...webhook.versions, { by: exchange, url: String(url), type: String(type), state }]
  }

  /** A webhook that is shown in another way than it was set may be set in either. */
  function compare({ records: shown }: Exchange): void {
    for (const { id, fields } of shown.filter((it) => it.kind === kind)) {
      const webhook = webhooks.get(id)
      const last = webhook?.versions.at(-1)
      if (!webhook || !last) continue
      const { url = last.url, type = last.type, status = last.state } = fields
      const isOther = !isSameValue(last.url, url) || type !== last.type || status !== last.state
      if (isOther) webhook.isSure = false
      if (status !== last.state && webhook.versions.length === 1) isInitialKnown = false
    }
  }

  function remember(it: Change): void {
    changes.set(it.id, [...(changes.get(it.id) ?? []), it])
  }

  return {
    get webhooks() {
      return [...webhooks.values()]
    },
    get changes() {
      return [...changes.values()].flat()
    },
    arrivals,
    get isWhole() {
      return arrivals.length < MOST && webhooks.forgotten + changes.forgotten === 0
    },
    get lastAt() {
      return lastAt
    },
    isObserved: (url) => bases.has(baseOf(url)),
    changesOf: (record) => changes.get(record ?? '') ?? [],
    fold(exchange) {
      const { operation, outcome, parameters, shown, sent, by } = exchange
      lastAt = Math.max(lastAt, exchange.completeAt)
      const action = kind && actionOf(kind, operation?.id)
      if (action === 'create' && outcome === 'accepted') create({ sent, shown, by, exchange })
      const webhook = webhooks.get(parameters.webhook_id ?? '')
      if (webhook) change(webhook, exchange, action)
      compare(exchange)
      if (outcome === 'accepted') for (const it of changesBy(exchange, records)) remember(it)
    },
    receive(delivery) {
      bases.add(baseOf(delivery.url))
      lastAt = Math.max(lastAt, delivery.completeAt)
      if (arrivals.length < MOST) arrivals.push(arrivalOf(delivery))
    },
    clear() {
      webhooks.clear()
      changes.clear()
    },
  }
}

interface Created extends Pick<Exchange, 'sent' | 'shown' | 'by'> {
  readonly exchange: Exchange
}

function baseOf(url: string): string {
  return url.replace(/\/[^/]*$/, '')
}

function arrivalOf(delivery: RecordedDelivery): Arrival {
  const body = parsedJson(delivery.text)
  return {
    type: 'delivery',
    delivery,
    at: delivery.completeAt,
    body,
    event: stringAt(body, '/type'),
    record: stringAt(body, '/data/id'),
    message: delivery.headers['webhook-id'],
    attemptedAt: Number(delivery.headers['webhook-timestamp']) * 1000,
  }
}

/** The changes that an accepted request causes, by the declared transitions with an event. */
function changesBy(exchange: Exchange, records: Records): Change[] {
  const { operation, by } = exchange
  if (!operation || !by || operation.effect === 'read') return []
  const created = exchange.records.flatMap(({ kind, id }) => {
    const own = actionOf(kind, operation.id) === 'create' ? eventsOf(kind, undefined, 'service') : []
    return own.length > 0 ? [{ exchange, kind, id, partner: by.partner, events: own, isCertain: true }] : []
  })
  const [first] = created
  const after = first && { id: first.id, event: 'transfer.settled' }
  const used = records.named(exchange).flatMap((record) => {
    const { kind, id, owner } = record
    const allowed = record.fields.get(fieldName(kind.resource.status ?? '')) ?? []
    const action = operation.id === 'createTransfer' ? 'pay' : (actionOf(kind, operation.id) ?? '')
    const transitions = allowed.map(({ value }) => kind.resource.states?.[String(value)]?.on?.[action])
    const events = transitions.flatMap((it) => it?.event ?? [])
    const isCertain = allowed.length === 1 && !exchange.beside.some((it) => mayConcern(it, record))
    if (events.length === 0 || !owner) return []
    const { partner } = owner
    return [{ exchange, kind, id, partner, events, isCertain, ...(after && { after }) }]
  })
  return [...created, ...used]
}

/** The events of the transitions of a kind: those to a state, or those by somebody. */
export function eventsOf({ resource: { states = {} } }: Kind, to?: string, by?: string): string[] {
  const transitions = Object.values(states).flatMap(({ on = {} }) => Object.values(on))
  const meant = transitions.filter(
    (it) => (to === undefined || it.to === to) && (by === undefined || it.by === by),
  )
  return [...new Set(meant.flatMap(({ event }) => event ?? []))]
}

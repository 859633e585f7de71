import { behaviour } from '../contract/behaviour.ts'
import type { Arrival, Change, KnownWebhook, WebhookVersion } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { an, cited, judge, type Reading, type Rule } from './rule.ts'

const { events, deliveries, resources } = behaviour
const { subscription } = deliveries

/** Findings about deliveries name the operation that registers webhooks. */
export const AT = { operation: 'createWebhook' }

const deliveriesSent: Rule = {
  id: 'deliveries-sent',
  says: 'Each event is delivered to each webhook that is subscribed to it.',
  advice:
    'Write the event in the transaction that changes the record, for the webhooks of its owner.',
  settles: ['event-kinds/'],
  end(model, report) {
    const patience = deliveryPatience(model)
    for (const expected of expectedIn(model)) {
      const { change, arrived } = expected
      if (arrived) report.passed(arrived.delivery, eventCites(change.events))
      else if (isMissing(expected, patience, model)) reportMissing(change, { model, report })
    }
  },
}

/** An event that a webhook must receive. */
interface Expected {
  readonly change: Change
  readonly webhook: KnownWebhook
  readonly arrived: Arrival | undefined
}

function expectedIn(model: Model): Expected[] {
  const { changes, webhooks } = model.deliveries
  return changes.flatMap((change) =>
    webhooks
      .filter((webhook) => isSubscribed(webhook, change, model))
      .map((webhook) => ({ change, webhook, arrived: arrivalOf(change, webhook, model) })),
  )
}

/** Whether a webhook in a state is set to receive the events of a change when it happens. */
function isSubscribed(
  webhook: KnownWebhook,
  { exchange, events: names, partner, isCertain }: Change,
  model: Model,
  state = 'active',
): boolean {
  const [version, ...others] = versionsBetween(webhook, exchange.sentAt, exchange.completeAt)
  if (!isCertain || !version || others.length > 0 || !webhook.isSure || webhook.partner !== partner)
    return false
  const isOfType = names.every((it) => events[it]?.subscribers.includes(version.type ?? ''))
  return version.state === state && isOfType && model.deliveries.isObserved(version.url)
}

/** How a webhook may have been set at any time from one to another. */
export function versionsBetween(
  { versions }: KnownWebhook,
  from: number,
  to: number,
): WebhookVersion[] {
  return versions.filter(({ by }, i) => {
    const until = versions[i + 1]?.by.completeAt ?? Number.POSITIVE_INFINITY
    return by.sentAt <= to && until >= from
  })
}

/**
 * The first delivery about a change to a webhook. An event that the contract does not know counts
 * too.
 */
function arrivalOf(change: Change, webhook: KnownWebhook, model: Model): Arrival | undefined {
  return model.deliveries.arrivals.find(
    ({ delivery, event }) =>
      delivery.text.includes(change.id) &&
      webhook.versions.some(({ url }) => url === delivery.url) &&
      (change.events.includes(event) || !events[event]),
  )
}

/** Times the longest delay of a delivery after which one that has not arrived is missing. */
const SPARE = 3

/**
 * Milliseconds until a delivery must have arrived: more than usual if this machine or the service
 * is busy.
 */
export function deliveryPatience(model: Model): number {
  const delays = expectedIn(model).map(
    ({ change, arrived }) => (arrived?.at ?? 0) - change.exchange.completeAt,
  )
  return Math.max(model.deliveryMs, SPARE * Math.max(0, ...delays))
}

/**
 * Whether no delivery arrived in its time, although the service has delivered what happened after
 * it.
 */
function isMissing({ change, webhook }: Expected, patience: number, model: Model): boolean {
  const { exchange, after } = change
  const { arrivals, isWhole, lastAt } = model.deliveries
  const until = exchange.completeAt + patience
  const hasHappened = !after || model.deliveries.eventsOf(after).includes('transfer.settled')
  const isKept = versionsBetween(webhook, exchange.sentAt, until).length === 1
  if (!isWhole || !isKept || until > lastAt || !hasHappened) return false
  return arrivals.length === 0 || servedUntil(model) >= until
}

/**
 * When the last change was sent of which something arrived, by this machine: what happened before
 * it is under way too.
 */
export function servedUntil({ deliveries: { changes, arrivals } }: Model): number {
  const served = changes.filter(({ id }) =>
    arrivals.some(({ delivery }) => delivery.text.includes(id)),
  )
  return served.reduce(
    (last, { exchange }) => Math.max(last, exchange.sentAt),
    Number.NEGATIVE_INFINITY,
  )
}

function reportMissing(change: Change, { model, report }: Omit<Reading, 'exchange'>): void {
  const { exchange, events: names, id, kind } = change
  const isElsewhere = model.deliveries.arrivals.some(({ delivery }) => delivery.text.includes(id))
  const cites = isElsewhere ? cited(subscription.type) : eventCites(names)
  const cause = `${exchange.operation?.id}${exchange.by?.customer === undefined ? '' : ' of a customer'}`
  const message = `A webhook that subscribes to ${names.join(' and ')} received no event after ${cause} of ${an(kind.name)}.`
  const about = `${cause} ${kind.name} ${names[0]}`
  report.failed(exchange, cites, message, { ...AT, about, impact: 'high' })
}

const deliveriesOnce: Rule = {
  id: 'deliveries-once',
  says: 'A change is reported by one event with an id of its own, in every attempt.',
  advice:
    'Create the webhook-id when the event is written, and keep it for all attempts and webhooks.',
  end(model, report) {
    const subjects = new Map<string, string>()
    const messages = new Map<string, string>()
    const first = (all: Map<string, string>, key: string, value: string) => {
      if (!all.has(key)) all.set(key, value)
      return all.get(key)
    }
    for (const { delivery, event, record, message } of model.deliveries.arrivals) {
      if (record === '' || message === undefined || !events[event]) continue
      const subject = `${event} ${record}`
      const isOther = first(subjects, message, subject) !== subject
      const isRepeated = first(messages, `${subject} ${delivery.url}`, message) !== message
      const isTwice = isRepeated && model.deliveries.webhookAt(delivery.url) !== undefined
      const twice = `A webhook received two events ${event} with different ids about one record.`
      const other = 'Two events have the same webhook-id; expected an id for each event.'
      const cites = cited(events[event])
      judge(report, delivery, { cites, message: isTwice && twice, ...AT, about: `twice ${event}` })
      if (isOther)
        report.failed(delivery, cited(deliveries.signature), other, { ...AT, about: 'own id' })
    }
  },
}

const deliveriesSubscribed: Rule = {
  id: 'deliveries-subscribed',
  says: 'A webhook receives the events of its type at its URL, while it is active, and no event of another partner.',
  advice:
    'Select the webhooks of an event by owner, type and state when it happens, and read the URL then.',
  settles: ['webhook-types/', 'webhook-statuses/inactive'],
  end(model, report) {
    const ownership = cited(resources.webhook.ownership)
    for (const arrival of model.deliveries.arrivals) {
      const { event, record, delivery, at } = arrival
      const webhook = model.deliveries.webhookAt(delivery.url)
      const changes = model.deliveries.changesOf(record)
      if (!webhook?.isSure || !events[event] || !changes[0]) continue
      const versions = versionsBetween(webhook, changes[0].exchange.sentAt, at)
      const faults = versions.map((it) => receiptFault(it, arrival))
      const last = versions.at(-1)
      const fault = faults.includes(undefined) ? undefined : faults.at(-1)
      const about = fault?.words ?? ''
      const foreign = 'A webhook receives the events of another partner.'
      if (!changes.some(({ partner }) => partner === webhook.partner))
        report.failed(delivery, ownership, foreign, { ...AT, about: 'owner', impact: 'critical' })
      else if (last)
        judge(report, delivery, {
          cites: fault?.cites ?? cited(subscription.type),
          message: fault && `A webhook that ${about} received ${event}; expected none.`,
          operation: last.by.operation?.id,
          about,
          impact: 'high',
        })
    }
    const until = servedUntil(model)
    const changes = model.deliveries.changes.filter(({ exchange }) => exchange.sentAt <= until)
    for (const change of changes)
      if (model.deliveries.webhooks.some((it) => hasNoDelivery(it, change, model)))
        report.passed(change.exchange, {
          ...cited(subscription.receives),
          statement: 'inactive',
        } as Cites)
  },
}

/** Whether a webhook was inactive since a change, and received nothing of it. */
function hasNoDelivery(webhook: KnownWebhook, change: Change, model: Model): boolean {
  const versions = versionsBetween(webhook, change.exchange.sentAt, Number.POSITIVE_INFINITY)
  const isResumed = versions.some(({ state }) => state === 'active')
  return (
    isSubscribed(webhook, change, model, 'inactive') &&
    !isResumed &&
    !arrivalOf(change, webhook, model)
  )
}

/** Why a webhook that is set like this must not receive an event; undefined if it may. */
function receiptFault(
  { state, url, type }: WebhookVersion,
  { event, delivery }: Arrival,
): { readonly cites: Cites; readonly words: string } | undefined {
  if (state === 'deleted')
    return { cites: cited(resources.webhook.states.active.on.delete), words: 'was deleted' }
  if (state !== 'active') return { cites: cited(subscription.receives), words: `is ${state}` }
  if (url !== delivery.url) return { cites: cited(deliveries), words: 'has another URL now' }
  if (type === undefined || events[event]?.subscribers.includes(type)) return undefined
  return { cites: cited(subscription.type), words: `does not subscribe to ${event}` }
}

/** What says which events there are, also for one that is not declared. */
export function eventCites(names: readonly string[]): Cites {
  return cited(...names.map((it) => events[it]), ...Object.values(events))
}

export const deliveryRules = [deliveriesSent, deliveriesOnce, deliveriesSubscribed]

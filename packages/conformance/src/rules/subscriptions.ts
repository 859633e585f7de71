import { behaviour } from '../contract/behaviour.ts'
import { findOnlyItem } from '../contract/json.ts'
import type { Arrival, Change, KnownWebhook, WebhookVersion } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { cite } from './rule.ts'

const { deliveries, events } = behaviour
const { subscription } = deliveries

/** An event that a webhook must receive, since it was subscribed when a record changed. */
export interface ExpectedDelivery {
  readonly change: Change
  readonly webhook: KnownWebhook
  /** Undefined if no delivery arrived. */
  readonly arrived: Arrival | undefined
}

/**
 * Lists the deliveries that must follow the changes of records: one for each change and each webhook that
 * was certainly subscribed to it. `arrived` is the delivery, if it came.
 */
export function listExpectedDeliveries(model: Model): ExpectedDelivery[] {
  const { changes, webhooks } = model.deliveries
  const expected: ExpectedDelivery[] = []
  for (const change of changes)
    for (const webhook of webhooks)
      if (isSubscribed(webhook, change, model))
        expected.push({ change, webhook, arrived: findArrival(change, webhook, model) })
  return expected
}

/**
 * Whether a webhook was certainly set to receive the events of a change when it happened: it belongs to the partner of
 * the record, was in the state, and has a type that receives them, such as `all`. False also if the checker does not
 * see what arrives at its URL.
 *
 * @param state The state in which the webhook must have been. Default: the one that receives.
 */
export function isSubscribed(
  webhook: KnownWebhook,
  change: Change,
  model: Model,
  state: string = subscription.receives.state,
): boolean {
  if (!change.isCertain || !webhook.areSettingsKnown) return false
  if (webhook.partner !== change.partner) return false

  const { sentAt, completeAt } = change.exchange
  // If the webhook was changed meanwhile, nobody knows which settings counted.
  const version = findOnlyItem(findVersionsBetween(webhook, sentAt, completeAt))
  if (version?.state !== state) return false

  const { type, url } = version
  if (type === undefined || !model.deliveries.isObserved(url)) return false
  return change.events.every((event) => events[event]?.subscribers.includes(type))
}

/**
 * Lists the settings that a webhook may have had between two times. Each accepted write begins a version of them, from
 * when it was sent until the next write is complete. While a write is on its way, two versions may count.
 */
export function findVersionsBetween(
  { versions }: KnownWebhook,
  from: number,
  to: number,
): WebhookVersion[] {
  return versions.filter((version, index) => {
    const nextVersion = versions[index + 1]
    const beganAt = version.by.sentAt
    const endedAt = nextVersion?.by.completeAt ?? Number.POSITIVE_INFINITY
    return beganAt <= to && endedAt >= from
  })
}

/** Whether a webhook certainly had the same settings from one time to another. */
export function isUnchangedBetween(webhook: KnownWebhook, from: number, to: number): boolean {
  return findVersionsBetween(webhook, from, to).length === 1
}

/**
 * Finds the first delivery that a webhook received about a change of a record; undefined if none arrived.
 * An event that the contract does not know counts too: it may be a declared one under another name.
 */
export function findArrival(
  change: Change,
  webhook: KnownWebhook,
  model: Model,
): Arrival | undefined {
  return model.deliveries.arrivals.find((arrival) => {
    const isForWebhook = webhook.versions.some(({ url }) => url === arrival.delivery.url)
    return isForWebhook && isAboutChange(arrival, change)
  })
}

/**
 * Lists the changes that a delivery may report: those of the record whose id it shows at the declared place. If it shows
 * none there, the earlier changes with its event whose record has an id that any field of the delivery shows.
 */
export function listReportedChanges(arrival: Arrival, { deliveries }: Model): readonly Change[] {
  const { record, event, delivery, at: arrivedAt } = arrival
  if (record !== '') return deliveries.listChanges(record)

  return deliveries.changes.filter(({ id, events: names, exchange }) => {
    const isBefore = exchange.sentAt <= arrivedAt
    const showsId = delivery.text.includes(JSON.stringify(id))
    return isBefore && showsId && names.includes(event)
  })
}

/** Whether a delivery names the changed record, and has an event of the change or an unknown one. */
export function isAboutChange({ delivery, event }: Arrival, change: Change): boolean {
  const isAboutRecord = delivery.text.includes(change.id)
  const isUnknownEvent = events[event] === undefined
  return isAboutRecord && (change.events.includes(event) || isUnknownEvent)
}

/** Cites what says which events there are, also for one that is not declared. */
export function citeEvents(names: readonly string[]): Cites {
  const declared = names.map((name) => events[name])
  return cite(...declared, ...Object.values(events))
}

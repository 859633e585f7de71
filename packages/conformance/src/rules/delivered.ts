import type { Arrival, Change, KnownWebhook, WebhookVersion } from '../model/deliveries.ts'
import type { Model } from '../model.ts'

/** How a webhook may have been set at any time from one to another. */
export function versionsBetween({ versions }: KnownWebhook, from: number, to: number): WebhookVersion[] {
  return versions.filter(({ by }, i) => {
    const until = versions[i + 1]?.by.completeAt ?? Number.POSITIVE_INFINITY
    return by.sentAt <= to && until >= from
  })
}

/** The only webhook that has, or had, a URL. Where several have it, nobody knows which one a delivery is for. */
export function webhookAt(url: string, { deliveries }: Model): KnownWebhook | undefined {
  const [webhook, ...others] = webhooksAt(url, deliveries)
  return others.length === 0 ? webhook : undefined
}

/** The webhooks that have, or had, a URL. */
export function webhooksAt(url: string, { webhooks }: Pick<Model['deliveries'], 'webhooks'>): KnownWebhook[] {
  return webhooks.filter(({ versions }) => versions.some((it) => it.url === url))
}

/** The first delivery about a change to a webhook. An event that the contract does not know counts too. */
export function arrivalOf(
  change: Change,
  webhook: KnownWebhook,
  { deliveries, contract }: Model,
): Arrival | undefined {
  const { events = {} } = contract.behaviour
  return deliveries.arrivals.find(
    ({ delivery, event = '' }) =>
      delivery.text.includes(change.id) &&
      webhook.versions.some(({ url }) => url === delivery.url) &&
      (change.events.includes(event) || !events[event]),
  )
}

/** Whether a webhook is set to receive the events of a change when it happens. */
export function isSubscribed(
  webhook: KnownWebhook,
  { exchange, events, partner, isCertain }: Change,
  { deliveries, contract }: Model,
): boolean {
  const [version, ...others] = versionsBetween(webhook, exchange.sentAt, exchange.completeAt)
  if (!isCertain || !version || others.length > 0 || !webhook.isSure || webhook.partner !== partner)
    return false
  const { subscription } = contract.behaviour.deliveries ?? {}
  const isActive = version.state === subscription?.receives.state
  const isOfType = events.every((it) =>
    contract.behaviour.events?.[it]?.subscribers.includes(version.type ?? ''),
  )
  return isActive && isOfType && deliveries.isObserved(version.url)
}

/** Times the longest delay of a delivery after which one that has not arrived is missing. */
const SPARE = 3

/** Milliseconds until a delivery must have arrived: more than usual if this machine or the service is busy. */
export function deliveryPatience(model: Model): number {
  const { changes, webhooks } = model.deliveries
  const delays = changes.flatMap((change) =>
    webhooks.flatMap((webhook) => {
      const arrived = isSubscribed(webhook, change, model) && arrivalOf(change, webhook, model)
      return arrived ? [arrived.at - change.exchange.completeAt] : []
    }),
  )
  return Math.max(model.deliveryMs, SPARE * Math.max(0, ...delays))
}

/** Whether the service has delivered something that happened after a time of this machine. */
export function isServingAfter(at: number, { deliveries: { changes, arrivals } }: Model): boolean {
  return changes.some(
    ({ exchange, id }) =>
      exchange.sentAt >= at && arrivals.some(({ delivery }) => delivery.text.includes(id)),
  )
}

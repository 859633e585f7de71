import { deliveryView } from './delivery.ts'
import { byId, empty, firstOf, h, pill } from './element.ts'

import type { Webhook } from './state.ts'

const NOTHING =
  'No webhook yet. Press “Receive webhooks here” above, or register one with `POST /mobile-bff/v1/partner/webhook` and `{"type": "all", "url": …}`.'
const QUIET = 'Nothing was sent here yet. A transfer that ends, or a QR code that is paid, sends an event.'

/** Webhooks, each with its deliveries. `now` is the time of the sandbox in milliseconds since 1970. */
export function webhooksView(webhooks: readonly Webhook[], now: number): HTMLElement {
  if (webhooks.length === 0) return empty(NOTHING)
  return h('ul', { class: 'list hooks' }, ...webhooks.map((webhook) => card(webhook, now)))
}

/** Shows the button for the sandbox's own receiver until it is registered. */
export function showReceiving(webhooks: readonly Webhook[]): void {
  const own = `${location.origin}/_sandbox/receiver`
  const isReceiving = webhooks.some((it) => it.url === own && it.status === 'active' && !it.deleted_at)
  const button = byId('receive')
  button.toggleAttribute('disabled', isReceiving)
  button.textContent = isReceiving ? 'Receiving webhooks' : 'Receive webhooks here'
}

function card(webhook: Webhook, now: number): HTMLElement {
  const { id, url, type, deliveries } = webhook
  const isDeleted = webhook.deleted_at !== null && webhook.deleted_at !== ''
  const { shown, more } = firstOf(`deliveries to ${id}`, deliveries, 3)
  const sent = shown.map((delivery) => deliveryView(delivery, webhook, now))
  return h(
    'li',
    { class: 'hook', 'data-key': id },
    h('h3', {}, h('code', {}, url), ' ', pill(isDeleted ? 'deleted' : webhook.status)),
    h('p', { class: 'soft' }, `takes ${type} · `, h('code', {}, id)),
    sent.length === 0
      ? empty(QUIET)
      : h('ol', { class: 'deliveries', 'aria-label': 'Deliveries, newest first' }, ...sent),
    more,
  )
}

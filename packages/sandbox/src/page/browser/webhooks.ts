import { deliveryView } from './delivery.ts'
import { h } from './element.ts'
import { empty } from './empty.ts'
import { pill } from './pill.ts'
import type { Webhook } from './state.ts'

const NOTHING =
  'No webhook yet. Register one with `POST /mobile-bff/v1/partner/webhook` and `{"type": "all", "url": …}`; its secret is in that answer and nowhere else.'
const QUIET = 'Nothing was sent here yet. A transfer that ends, or a QR code that is paid, sends an event.'

/** Webhooks, each with what was sent there. `now` is the time of the sandbox, in milliseconds since 1970. */
export function webhooksView(webhooks: readonly Webhook[], now: number): HTMLElement {
  if (webhooks.length === 0) return empty(NOTHING)
  const attributes = {
    class: 'scroll',
    tabindex: '0',
    role: 'region',
    'aria-label': 'Webhooks and their deliveries',
  }
  return h('div', attributes, h('ul', { class: 'hooks' }, ...webhooks.map((webhook) => card(webhook, now))))
}

function card(webhook: Webhook, now: number): HTMLElement {
  const { id, url, type, deliveries } = webhook
  const isDeleted = webhook.deleted_at !== null && webhook.deleted_at !== ''
  const sent = deliveries.map((delivery) => deliveryView(delivery, webhook, now))
  return h(
    'li',
    { class: 'hook', 'data-key': id },
    h('h3', {}, h('code', {}, url), ' ', pill(isDeleted ? 'deleted' : webhook.status)),
    h('p', { class: 'soft' }, `takes ${type} · `, h('code', {}, id)),
    sent.length === 0
      ? empty(QUIET)
      : h('ol', { class: 'deliveries', 'aria-label': 'Deliveries, newest first' }, ...sent),
  )
}

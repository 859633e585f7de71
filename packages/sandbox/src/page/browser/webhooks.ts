import { loaded, loadProblem } from './api.ts'
import { byId, empty, firstOf, h, hidden, pill } from './element.ts'
import { messageView, note } from './exchange.ts'
import { moment, took, until } from './format.ts'
import type { Attempt, AttemptExchange, Delivery, EventDetails, Webhook } from './state.ts'

const NOTHING =
  'No webhook yet. Register one with `POST /mobile-bff/v1/partner/webhook` and `{"type": "all", "url": …}`, or receive events here: this sandbox verifies each signature and shows each delivery.'
const QUIET = 'Nothing was sent here yet. A transfer that ends, or a QR code that is paid, sends an event.'

/** Webhooks, each with its deliveries. `now` is the time of the sandbox in milliseconds since 1970. */
export function webhooksView(webhooks: readonly Webhook[], now: number): HTMLElement {
  const receive = h(
    'button',
    { type: 'button', 'data-action': 'receive' },
    'Register this sandbox as a receiver',
  )
  if (webhooks.length === 0) return h('div', {}, empty(NOTHING), receive)
  return h('ul', { class: 'list hooks' }, ...webhooks.map((webhook) => card(webhook, now)))
}

/** Shows the button for the sandbox's own receiver until it is registered. */
export function showReceiving(webhooks: readonly Webhook[]): void {
  const isReceiving = webhooks.some((it) => isOwn(it) && it.status === 'active' && !it.deleted_at)
  const button = byId('receive')
  button.toggleAttribute('disabled', isReceiving)
  button.textContent = isReceiving ? 'Receiving webhooks' : 'Receive webhooks here'
}

/** Whether a webhook is the sandbox's own receiver. */
function isOwn({ url }: Webhook): boolean {
  return url === `${location.origin}/_sandbox/receiver`
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

/**
 * The delivery of one event to one webhook: all attempts, which expand to request and response, and the next attempt.
 */
function deliveryView(delivery: Delivery, webhook: Webhook, now: number): HTMLElement {
  const { event_id, type, status, due_at, attempts } = delivery
  const steps = attempts.map((attempt) => attemptView(attempt, delivery, webhook))
  if (due_at) steps.push(next(due_at, now))
  return h(
    'li',
    { 'data-key': event_id },
    h(
      'div',
      { class: 'delivery' },
      h('div', {}, h('strong', {}, type), ' ', pill(status), h('code', { class: 'under' }, event_id)),
      canReceive(webhook) && sendAgainButton(event_id, webhook),
    ),
    h('ol', { class: 'timeline' }, ...steps),
  )
}

/** Whether a webhook can receive deliveries: the sandbox sends none to inactive or deleted webhooks. */
function canReceive({ status, deleted_at }: Webhook): boolean {
  return status === 'active' && !deleted_at
}

function sendAgainButton(event_id: string, { id, url }: Webhook): HTMLElement {
  const attributes = {
    type: 'button',
    'data-action': 'redeliver',
    'data-event': event_id,
    'data-webhook': id,
  }
  return h('button', attributes, 'Send again', hidden(` ${event_id} to ${url}`))
}

function attemptView(attempt: Attempt, delivery: Delivery, webhook: Webhook): HTMLElement {
  const { at, ok, status, reason, detail, duration_ms, number } = attempt
  // The sandbox's own receiver returns 200 only to a valid signature.
  const taken = isOwn(webhook) ? `${status}, signature verified` : `${status} taken`
  const outcome = ok ? taken : [status, reason].filter(Boolean).join(' ')
  const load = `/events/${encodeURIComponent(delivery.event_id)}`
  const version = `${delivery.attempts.length} ${delivery.attempts.at(-1)?.at}`
  return h(
    'li',
    { 'data-key': `${number} ${at}`, 'data-tone': ok ? 'good' : 'bad' },
    h(
      'details',
      { 'data-load': load, 'data-version': version },
      h(
        'summary',
        {},
        h('strong', {}, outcome),
        h('span', { class: 'soft' }, ' · ', moment(at), ` · ${took(duration_ms)}`),
        detail !== '' && h('span', { class: 'under' }, detail),
      ),
      h('div', { class: 'opened' }, opened(load, webhook.id, attempt)),
    ),
  )
}

function opened(load: string, webhook_id: string, { number, at }: Attempt): HTMLElement {
  const event = loaded<EventDetails>(load)
  if (!event) return note(loadProblem(load) ?? 'Loading…')
  const delivery = event.deliveries.find((it) => it.webhook_id === webhook_id)
  const attempt = delivery?.attempts.find((it) => it.number === number && it.at === at)
  return attempt?.exchange ? exchangeView(attempt.exchange, attempt.status) : note(GONE)
}

const GONE =
  'Nothing was sent, or the attempt is no longer remembered: the sandbox keeps the last 200 attempts in memory.'

function exchangeView(exchange: AttemptExchange, status: number | null): HTMLElement {
  const { url, headers, signed_content, response } = exchange
  return h(
    'div',
    {},
    messageView('Request', { headers }, `POST ${url}`),
    h(
      'div',
      { class: 'message' },
      h('h3', {}, 'Signed content'),
      h('pre', {}, h('code', {}, signed_content)),
    ),
    response ? messageView('Response', response, String(status)) : note('No response arrived.'),
  )
}

function next(due_at: string, now: number): HTMLElement {
  return h(
    'li',
    { 'data-key': 'next', 'data-tone': 'waits' },
    h('strong', {}, 'Next attempt'),
    ` ${until(due_at, now)}`,
    h('span', { class: 'soft' }, ' · ', moment(due_at)),
  )
}

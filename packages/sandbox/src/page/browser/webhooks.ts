import { messageView } from './exchange.ts'
import { moment, took, until } from './format.ts'
import type { Attempt, AttemptExchange, Delivery, EventDetails, Webhook } from './state.ts'
import { byId, empty, hidden, html, List, note, pill, useOpened, type View } from './view.ts'

const NOTHING =
  'No webhook yet. Register one with `POST /mobile-bff/v1/partner/webhook` and `{"type": "all", "url": …}`, or receive events here: this sandbox verifies each signature and shows each delivery.'
const QUIET =
  'Nothing was sent here yet. A transfer that ends, or a QR code that is paid, sends an event.'

/** The webhooks with their deliveries; if there are none, a button that registers one. */
export function webhooksView(webhooks: readonly Webhook[], now: number): View {
  if (webhooks.length > 0) {
    const cards = webhooks.map((webhook) => webhookCard(webhook, now))
    return html`<ul class="list hooks">${cards}</ul>`
  }

  const receive = html`<button type="button" data-action="receive">Register this sandbox as a receiver</button>`
  return html`${empty(NOTHING)}${receive}`
}

/** Shows the button for the sandbox's own receiver until it is registered. */
export function showReceiving(webhooks: readonly Webhook[]): void {
  const isReceiving = webhooks.some((webhook) => isOwn(webhook) && canReceive(webhook))
  const button = byId('receive')
  button.toggleAttribute('disabled', isReceiving)
  button.textContent = isReceiving ? 'Receiving webhooks' : 'Receive webhooks here'
}

function isOwn({ url }: Webhook): boolean {
  return url === `${location.origin}/_sandbox/receiver`
}

/** A webhook with its URL, its status and its deliveries. */
function webhookCard(webhook: Webhook, now: number): View {
  const { id, url, type, status, deleted_at, deliveries } = webhook
  const rows = deliveries.map((delivery) => deliveryView(delivery, webhook, now))
  return html`<li class="hook" key=${id}>
    <h3><code>${url}</code> ${pill(deleted_at ? 'deleted' : status)}</h3>
    <p class="soft">takes ${type} · <code>${id}</code></p>
    ${deliveriesView(rows, id)}
  </li>`
}

function deliveriesView(rows: readonly View[], webhook_id: string): View {
  if (rows.length === 0) return empty(QUIET)
  const noun = `deliveries to ${webhook_id}`
  const label = 'Deliveries, newest first'
  return html`<${List} noun=${noun} label=${label} kind="deliveries" most=${3} rows=${rows} />`
}

/**
 * The delivery of one event to one webhook: all attempts, which expand to request and response, and
 * the next attempt.
 */
function deliveryView(delivery: Delivery, webhook: Webhook, now: number): View {
  const { event_id, type, status, due_at, attempts } = delivery
  const steps = attempts.map(
    (attempt) =>
      html`<${AttemptItem} key="${attempt.number} ${attempt.at}" attempt=${attempt} delivery=${delivery} webhook=${webhook} />`,
  )
  const again = html`<button type="button" data-action="redeliver" data-event=${event_id} data-webhook=${webhook.id}>
    Send again${hidden(` ${event_id} to ${webhook.url}`)}
  </button>`
  return html`<li key=${event_id}>
    <div class="delivery">
      <div><strong>${type}</strong> ${pill(status)}<code class="under">${event_id}</code></div>
      ${canReceive(webhook) ? again : null}
    </div>
    <ol class="timeline">${steps}${due_at === null ? null : nextView(due_at, now)}</ol>
  </li>`
}

function canReceive({ status, deleted_at }: Webhook): boolean {
  return status === 'active' && !deleted_at
}

interface AttemptItemProps {
  readonly attempt: Attempt
  readonly delivery: Delivery
  readonly webhook: Webhook
}

/**
 * One delivery attempt in a line. Opening it loads the event, whose deliveries have the request and
 * the response of each attempt.
 */
function AttemptItem({ attempt, delivery, webhook }: AttemptItemProps): View {
  const { at, ok, detail, duration_ms } = attempt
  // Loads the event again after each further attempt.
  const version = `${delivery.attempts.length} ${delivery.attempts.at(-1)?.at}`
  const path = `/events/${encodeURIComponent(delivery.event_id)}`
  const { body: event, problem, onToggle } = useOpened<EventDetails>(path, version)
  return html`<li data-tone=${ok ? 'good' : 'bad'}>
    <details onToggle=${onToggle}>
      <summary>
        <strong>${describeAttempt(attempt, webhook)}</strong>
        <span class="soft"> · ${moment(at)} · ${took(duration_ms)}</span>
        ${detail === '' ? null : html`<span class="under">${detail}</span>`}
      </summary>
      <div class="opened">${event ? attemptView(event, webhook.id, attempt) : note(problem ?? 'Loading…')}</div>
    </details>
  </li>`
}

function describeAttempt({ ok, status, reason }: Attempt, webhook: Webhook): string {
  if (!ok) return status === null ? reason : `${status} ${reason}`
  // The sandbox's own receiver returns 200 only to a valid signature.
  return isOwn(webhook) ? `${status}, signature verified` : `${status} taken`
}

/** What an attempt sent and received; a note if the sandbox does not remember it any more. */
function attemptView(event: EventDetails, webhook_id: string, { number, at }: Attempt): View {
  const delivery = event.deliveries.find((delivery) => delivery.webhook_id === webhook_id)
  const attempt = delivery?.attempts.find((other) => other.number === number && other.at === at)
  if (!attempt?.exchange) return note(GONE)
  return exchangeView(attempt.exchange, attempt.status)
}

const GONE =
  'Nothing was sent, or the attempt is no longer remembered: the sandbox keeps the last 200 attempts in memory.'

/** What an attempt sent, the text that its signature signs, and the response. */
function exchangeView(
  { url, headers, signed_content, response }: AttemptExchange,
  status: number | null,
): View {
  return html`<div>
    ${messageView('Request', { headers }, `POST ${url}`)}
    <div class="message"><h3>Signed content</h3><pre><code>${signed_content}</code></pre></div>
    ${response ? messageView('Response', response, String(status)) : note('No response arrived.')}
  </div>`
}

function nextView(due_at: string, now: number): View {
  return html`<li key="next" data-tone="waits">
    <strong>Next attempt</strong> ${until(due_at, now)}<span class="soft"> · ${moment(due_at)}</span>
  </li>`
}

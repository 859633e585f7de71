import { h, hidden } from './element.ts'
import { count, moment, took, until } from './format.ts'
import { pill } from './pill.ts'
import type { Attempt, Delivery, Webhook } from './state.ts'

/** One event on its way to one webhook: every attempt, and the next. */
export function deliveryView(delivery: Delivery, webhook: Webhook, now: number): HTMLElement {
  const { event_id, type, status, due_at, attempts } = delivery
  const steps = attempts.map((attempt, i) => attemptView(attempt, i))
  if (due_at) steps.push(next(due_at, now))
  return h(
    'li',
    { 'data-key': event_id },
    h(
      'div',
      { class: 'delivery' },
      h('div', {}, h('strong', {}, type), ' ', pill(status), h('code', { class: 'under' }, event_id)),
      canReceive(webhook) && redeliverButton(event_id, webhook),
    ),
    h(
      'details',
      { 'data-key': 'attempts', open: true },
      h('summary', {}, count(attempts.length, 'attempt')),
      h('ol', { class: 'timeline' }, ...steps),
    ),
  )
}

/** The sandbox refuses to deliver to the others. */
function canReceive({ status, deleted_at }: Webhook): boolean {
  return status === 'active' && !deleted_at
}

function redeliverButton(event_id: string, { id, url }: Webhook): HTMLElement {
  const attributes = {
    type: 'button',
    'data-action': 'redeliver',
    'data-event': event_id,
    'data-webhook': id,
  }
  return h('button', attributes, 'Redeliver', hidden(` ${event_id} to ${url}`))
}

function attemptView({ at, ok, status, reason, detail, duration_ms }: Attempt, i: number): HTMLElement {
  const outcome = ok ? `${status} taken` : [status, reason].filter(Boolean).join(' ')
  return h(
    'li',
    { 'data-key': `${i} ${at}`, 'data-tone': ok ? 'good' : 'bad' },
    h('strong', {}, outcome),
    h('span', { class: 'soft' }, ' · ', moment(at), ` · ${took(duration_ms)}`),
    detail !== '' && h('p', {}, detail),
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

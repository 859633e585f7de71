import { byId } from './element.ts'
import { count, money } from './format.ts'
import type { State } from './state.ts'

const SHOWN_MS = 8_000
let timer: ReturnType<typeof setTimeout>

/** Shows a message in the corner, and announces it politely to screen readers. */
export function say(text: string): void {
  const said = byId('said')
  said.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    said.textContent = ''
  }, SHOWN_MS)
}

/** Describes a change that the user wants to hear of; empty if there is none. */
export function news(before: State, after: State): string {
  return [...transfers(before, after), ...codes(before, after), ...deliveries(before, after)].join(' ')
}

function transfers(before: State, after: State): string[] {
  const known = new Map(before.transfers.map(({ id, status }) => [id, status]))
  const changed = after.transfers.filter(({ id, status }) => known.get(id) !== status)
  const [first] = changed
  if (!first) return []
  if (changed.length > 1) return [`${count(changed.length, 'transfer')} changed.`]
  return [`Transfer of ${money(first.amount)} to ${first.payee}: ${first.status}.`]
}

function codes(before: State, after: State): string[] {
  const known = new Map(before.qrcodes.map(({ id, status }) => [id, status]))
  const changed = after.qrcodes.filter(({ id, status }) => known.get(id) !== status)
  const [first] = changed
  if (!first) return []
  if (changed.length > 1) return [`${count(changed.length, 'QR code')} changed.`]
  return [`QR code ${first.tx_id}: ${first.status}.`]
}

function deliveries(before: State, after: State): string[] {
  const failed = failedIn(after) - failedIn(before)
  return failed > 0 ? [`${count(failed, 'delivery attempt')} failed.`] : []
}

function failedIn({ webhooks }: State): number {
  const attempts = webhooks.flatMap(({ deliveries }) => deliveries.flatMap((delivery) => delivery.attempts))
  return attempts.filter(({ ok }) => !ok).length
}

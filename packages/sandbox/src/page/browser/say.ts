import { count, money } from './format.ts'
import type { State } from './state.ts'
import { byId } from './view.ts'

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
export function describeChanges(before: State, after: State): string {
  return [
    ...describeStatusChanges('transfer', before.transfers, after.transfers, transferWords),
    ...describeStatusChanges('QR code', before.qrcodes, after.qrcodes, qrCodeWords),
    ...deliveries(before, after),
  ].join(' ')
}

function qrCodeWords({ tx_id, status }: State['qrcodes'][number]): string {
  return `QR code ${tx_id}: ${status}.`
}

function transferWords({ amount, payee, status }: State['transfers'][number]): string {
  return `Transfer of ${money(amount)} to ${payee}: ${status}.`
}

/**
 * Says which records are new or have another status, in one sentence: about the one that changed, or
 * how many did. Empty if none did.
 */
function describeStatusChanges<Item extends { readonly id: string; readonly status: string }>(
  noun: string,
  before: readonly Item[],
  after: readonly Item[],
  words: (item: Item) => string,
): string[] {
  const statusBefore = new Map(before.map(({ id, status }) => [id, status]))
  const changed = after.filter(({ id, status }) => statusBefore.get(id) !== status)
  const [first] = changed
  if (!first) return []
  if (changed.length > 1) return [`${count(changed.length, noun)} changed.`]
  return [words(first)]
}

function deliveries(before: State, after: State): string[] {
  const failed = countFailed(after) - countFailed(before)
  return failed > 0 ? [`${count(failed, 'delivery attempt')} failed.`] : []
}

function countFailed({ webhooks }: State): number {
  const deliveries = webhooks.flatMap((webhook) => webhook.deliveries)
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  const failed = attempts.filter(({ ok }) => !ok)
  return failed.length
}

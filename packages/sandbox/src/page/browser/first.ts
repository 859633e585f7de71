import { getMagic } from './api.ts'
import { byId, h } from './element.ts'
import { money } from './format.ts'
import type { Magic, State } from './state.ts'

/** Shows a first request, with the address of this page. */
export function showFirst(): void {
  const base = `${location.origin}/mobile-bff/v1`
  byId('curl').textContent = `TOKEN=$(curl -s -u partner:secret -X POST ${base}/auth/partner/token/ |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"dict_key": "beltrana@example.com"}' ${base}/pix/dict/check/`
}

/** Opens the section while nobody paid and no webhook exists. The seed data has QR codes. */
export function openFirst({ transfers, webhooks }: State): void {
  if (transfers.length + webhooks.length === 0) byId('first').setAttribute('open', '')
}

/** Shows the keys and amounts that force a rejection when the user opens the section. */
export function showMagic(): void {
  const details = byId('magic')
  details.addEventListener('toggle', () => void fill(byId('magic-body')))
}

async function fill(body: HTMLElement): Promise<void> {
  if (body.childElementCount > 0) return
  const { keys, amounts } = await getMagic()
  const rows = keys.map((key, i) => rowOf(key, amounts[i]))
  body.append(
    h(
      'p',
      { class: 'soft' },
      'Only this sandbox knows them. A transfer to the key, or of the amount to any key, is rejected.',
    ),
    h('dl', {}, ...rows),
  )
}

function rowOf(
  { dict_key, rejection_message }: Magic['keys'][number],
  amount: Magic['amounts'][number] | undefined,
): HTMLElement {
  const term = h('dt', {}, h('code', {}, dict_key), amount?.amount ? ` or ${money(amount.amount)}` : '')
  return h('div', {}, term, h('dd', {}, rejection_message))
}

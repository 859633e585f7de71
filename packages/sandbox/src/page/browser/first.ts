import { FIRST_PARTNER } from '../../seed/first-partner.ts'
import { control } from './api.ts'
import { money } from './format.ts'
import type { Magic, State } from './state.ts'
import { byId, draw, html, note, type View } from './view.ts'

/** Shows a first command for a terminal: it signs in and looks a key up. */
export function showFirst(): void {
  const base = `${location.origin}/mobile-bff/v1`
  const credentials = `${FIRST_PARTNER.client_key}:${FIRST_PARTNER.client_secret}`
  byId('curl').textContent =
    `TOKEN=$(curl -s -u ${credentials} -X POST ${base}/auth/partner/token/ |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"dict_key": "beltrana@example.com"}' ${base}/pix/dict/check/`
}

/** Opens the section while nobody paid and no webhook exists. The seed data has QR codes. */
export function openFirst({ transfers, webhooks }: State): void {
  const isUnused = transfers.length === 0 && webhooks.length === 0
  if (isUnused) byId('first').setAttribute('open', '')
}

/** Shows the keys and amounts that force a rejection when the user opens the section. */
export function showMagic(): void {
  byId('magic').addEventListener('toggle', async () => {
    const magic = await control<Magic>('GET', '/magic')
    draw('magic-body', magicView(magic))
  })
}

/** The keys and amounts that make a transfer be rejected, each with the reason. */
function magicView({ keys, amounts }: Magic): View {
  const rows = keys.map(({ dict_key, rejection_message }, i) => {
    const amount = amounts[i]?.amount
    const orAmount = amount ? ` or ${money(amount)}` : ''
    return html`<div>
      <dt><code>${dict_key}</code>${orAmount}</dt>
      <dd>${rejection_message}</dd>
    </div>`
  })
  return html`
    ${note('Only this sandbox knows them. A transfer to the key, or of the amount to any key, is rejected.')}
    <dl>${rows}</dl>`
}

import { byId } from './element.ts'
import type { State } from './state.ts'

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

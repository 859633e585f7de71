import { byId } from './element.ts'

/** Shows the first request, for the address that the page came from. */
export function showFirst(): void {
  const base = `${location.origin}/mobile-bff/v1`
  byId('curl').textContent = `TOKEN=$(curl -s -u partner:secret -X POST ${base}/auth/partner/token/ |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"dict_key": "beltrana@example.com"}' ${base}/pix/dict/check/`
}

/** Whoever has sent nothing yet needs it most. */
export function openFirst(isNew: boolean): void {
  if (isNew) byId('first').setAttribute('open', '')
}

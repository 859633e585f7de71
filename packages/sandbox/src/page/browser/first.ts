import { byId } from './element.ts'

/** Shows a first request, with the address of this page. */
export function showFirst(): void {
  const base = `${location.origin}/mobile-bff/v1`
  byId('curl').textContent = `TOKEN=$(curl -s -u partner:secret -X POST ${base}/auth/partner/token/ |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"dict_key": "beltrana@example.com"}' ${base}/pix/dict/check/`
}

/** Opens the section for users who have sent nothing yet. */
export function openFirst(isNew: boolean): void {
  if (isNew) byId('first').setAttribute('open', '')
}

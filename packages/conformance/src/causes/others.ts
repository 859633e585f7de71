import { isIP } from 'node:net'
import { isCnpj, isCpf, keyKind } from '@partner-payments/brcode'
import { stringAt } from '../contract/json.ts'
import { type Cause, excluded, met, type Requested, those } from './cause.ts'

/** Why the look-up of a key may be refused: it has no form of a key, or certainly nobody has it. */
export function keyCauses({ exchange: { sent } }: Requested): Cause[] {
  const key = stringAt(sent, '/dict_key') ?? ''
  const kind = keyKind(key)
  if (!kind) return [met('invalid_key', 'a text that is no key')]
  const isWrong = (kind === 'CPF' && !isCpf(key)) || (kind === 'CNPJ' && !isCnpj(key))
  return those([
    [true, excluded('invalid_key', 'a key')],
    [isWrong, met('not_found', `a ${kind} whose check digits are wrong`)],
    [!isWrong && NOBODYS.test(key), met('not_found', 'a key that nobody has')],
  ])
}

/** Names that RFC 6761 reserves, and telephone numbers of fiction (NANPA 555-0100 to 555-0199). */
const NOBODYS = /[@.]invalid$|^\+1\d{3}55501\d\d$/

/** Why the URL of a webhook may be refused. */
export function urlCauses({ exchange: { sent } }: Requested): Cause[] {
  const text = stringAt(sent, '/url') ?? ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || isLoopback(url.hostname)) return []
  if (url.protocol === 'http:') return [met('url_not_allowed', 'a URL without https', { impact: 'high' })]
  return those([[isPrivate(url.hostname), met('url_not_allowed', 'a URL in a private network')]])
}

/** A sandbox may deliver to the machine that it runs on. */
function isLoopback(host: string): boolean {
  return /^127\.|^localhost$|^\[::1\]$|^\[::ffff:7f/.test(host)
}

/** RFC 1918, RFC 3927, RFC 4193, and the name that ICANN keeps for private networks. */
function isPrivate(host: string): boolean {
  if (host.startsWith('[')) return /^\[(f[cd]|fe[89ab])/.test(host)
  if (isIP(host) === 4) return /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host)
  return /\.internal$/.test(host)
}

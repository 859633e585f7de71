import { isIP } from 'node:net'
import { stringAt } from '../contract/json.ts'
import { type Cause, met, type Requested, those } from './cause.ts'

/** Why the URL of a webhook may be refused. */
export function urlCauses({ exchange: { sent } }: Requested): Cause[] {
  const text = stringAt(sent, '/url') ?? ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || isLoopback(url.hostname)) return []
  if (url.protocol === 'http:') return [met('url_not_allowed', 'a URL without https')]
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

import { isIP } from 'node:net'
import { isLoopback, isPublic } from './address.ts'
import { isLocalName, isReservedName } from './names.ts'

/** Which targets are admitted. */
export interface TargetPolicy {
  /**
   * Admits http and https to 127.0.0.0/8, ::1 and localhost besides: for a sandbox on a developer's own
   * machine. Default false.
   */
  allowLoopback?: boolean
}

/** A URL that may be delivered to, as far as the URL alone tells. */
export interface Target {
  url: URL
  /**
   * What is behind the host: addresses that are already judged, a name that has yet to be resolved and
   * judged, or a reserved name, which is never resolved.
   */
  host: { addresses: readonly string[] } | { name: string } | { reserved: string }
}

/** Why a URL is no target: `detail` says what was expected, for the problem `url_not_allowed`. */
export interface TargetRefusal {
  detail: string
}

/**
 * Reads the URL of a webhook, without the network. Registration and deliveries read it by this one parser
 * (the URL Standard), so that no other spelling of a host passes the one and not the other: decimal, octal,
 * hexadecimal, short, percent-encoded and full-width forms of an IPv4 address all become four decimal parts
 * before they are judged.
 *
 * @example
 * const target = readTarget('https://loja.example/pix')
 * if ('detail' in target) console.log(target.detail)
 * else console.log(target.host) // { reserved: 'loja.example' }
 */
export function readTarget(text: string, policy: TargetPolicy = {}): Target | TargetRefusal {
  if (!URL.canParse(text)) return { detail: '"url" must be an absolute URL.' }
  const url = new URL(text)
  if (url.username || url.password) return { detail: '"url" must not hold a user or a password.' }
  if (url.href.includes('#')) return { detail: '"url" must not have a fragment: no server sees it.' }
  const name = nameOf(url)
  if (policy.allowLoopback && isHere(name)) return readLoopback(url, name)
  if (url.protocol !== 'https:') return { detail: '"url" must begin with https://.' }
  if (!admitsPort(url)) return { detail: ports }
  return readHost(url, name)
}

function readLoopback(url: URL, name: string): Target | TargetRefusal {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { detail: '"url" must begin with https:// or http://.' }
  if (!admitsPort(url)) return { detail: ports }
  // RFC 6761, section 6.3: this name is not asked of any server.
  return { url, host: { addresses: name === 'localhost' ? ['127.0.0.1', '::1'] : [name] } }
}

function readHost(url: URL, name: string): Target | TargetRefusal {
  if (isIP(name)) return isPublic(name) ? { url, host: { addresses: [name] } } : { detail: publicOnly }
  if (isReservedName(name)) return { url, host: { reserved: name } }
  return isLocalName(name) ? { detail: publicOnly } : { url, host: { name } }
}

/** What a host that is not public is told, at registration; also by the check of resolved names. */
export const publicOnly = '"url" must name a public host, not one of a private network.'

const ports = '"url" must use the port of its scheme, or one from 1024 that no other protocol is known by.'

function nameOf({ hostname }: URL): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return hostname.replace(/\.+$/, '')
}

function isHere(name: string): boolean {
  return name === 'localhost' || isLoopback(name)
}

// The ports from 1024 that the Fetch Standard blocks (section 2.9): a request there could speak to something
// else. Below 1024 everything but the scheme's own port is something else.
const blocked = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])

function admitsPort({ port }: URL): boolean {
  return port === '' || (Number(port) >= 1024 && !blocked.has(Number(port)))
}

import { isIP } from 'node:net'
import { isLoopback, isPublic } from './address.ts'

/** Which targets are allowed. */
export interface TargetPolicy {
  /**
   * Also allows http and https to 127.0.0.0/8, ::1 and localhost, for a sandbox on a developer's
   * machine. Default false.
   */
  allowLoopback?: boolean
}

/** A URL that passed the checks that need no network. */
export interface Target {
  url: URL
  /**
   * The host: addresses that were checked, a name to resolve and check, or a reserved name, which
   * is never resolved.
   */
  host: { addresses: readonly string[] } | { name: string } | { reserved: string }
}

/**
 * Parses and checks the URL of a webhook without the network. Registration and delivery both call
 * it, so they agree about every spelling of a host. IPv4 addresses in decimal, octal, hexadecimal,
 * short, percent-encoded or full-width form all become four decimal parts first (URL Standard).
 *
 * @returns the URL with its host, as addresses or a name; for a URL that is not allowed, the
 *   `detail` for the problem `url_not_allowed`
 */
export function readTarget(text: string, policy: TargetPolicy = {}): Target | { detail: string } {
  if (!URL.canParse(text)) return { detail: '"url" must be an absolute URL.' }
  const url = new URL(text)
  if (url.username || url.password) {
    return { detail: '"url" must not contain a user or a password.' }
  }
  if (url.href.includes('#')) {
    return { detail: '"url" must not have a fragment: no server sees it.' }
  }

  const name = normalizeHost(url)
  if (policy.allowLoopback && isHere(name)) return readLoopback(url, name)

  if (url.protocol !== 'https:') return { detail: '"url" must begin with https://.' }
  if (!isPortAllowed(url)) return { detail: PORT_RULE }
  return readPublicHost(url, name)
}

/**
 * Reads a webhook URL of this machine, which an option allows for tests. It may be http, and its
 * addresses need no look-up. Returns the `detail` of a refusal if it is not allowed.
 */
function readLoopback(url: URL, name: string): Target | { detail: string } {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { detail: '"url" must begin with https:// or http://.' }
  }
  if (!isPortAllowed(url)) return { detail: PORT_RULE }

  // RFC 6761, section 6.3: this name is never sent to a DNS server.
  if (name === 'localhost') return { url, host: { addresses: ['127.0.0.1', '::1'] } }
  return { url, host: { addresses: [name] } }
}

/**
 * Reads the host of a URL: a public address, or a name that a DNS may know. Names for documentation
 * are allowed too, but never looked up. Returns the `detail` of the refusal for everything else.
 */
function readPublicHost(url: URL, name: string): Target | { detail: string } {
  if (isIP(name)) {
    return isPublic(name) ? { url, host: { addresses: [name] } } : { detail: PUBLIC_ONLY }
  }
  if (isInDomains(name, RESERVED_DOMAINS)) return { url, host: { reserved: name } }
  if (isInDomains(name, LOCAL_DOMAINS)) return { detail: PUBLIC_ONLY }

  // No public host has a name of a single label (RFC 7085).
  const isSingleLabel = !name.includes('.')
  if (isSingleLabel) return { detail: PUBLIC_ONLY }
  return { url, host: { name } }
}

/** The message for a host that is not public, at registration and after resolving the name. */
export const PUBLIC_ONLY = '"url" must name a public host, not one of a private network.'

const PORT_RULE =
  '"url" must use the default port of its scheme, or a port from 1024 that no other protocol uses.'

/** The host without the brackets of an IPv6 address, or without the dots at the end of a name. */
function normalizeHost({ hostname }: URL): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return hostname.replace(/^(.*[^.])?\.*$/, '$1')
}

function isHere(name: string): boolean {
  return name === 'localhost' || isLoopback(name)
}

// Ports from 1024 that the Fetch Standard blocks (section 2.9), because another protocol may listen
// there. Below 1024, only the default port of the scheme is allowed.
const BLOCKED_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
])

function isPortAllowed({ port }: URL): boolean {
  const isDefault = port === ''
  if (isDefault) return true
  return Number(port) >= 1024 && !BLOCKED_PORTS.has(Number(port))
}

/**
 * Names for documentation and tests, so that no host can have one (RFC 2606, sections 2 and 3; RFC
 * 6761, sections 6.2, 6.4 and 6.5). Such names are never resolved here.
 */
const RESERVED_DOMAINS = ['test', 'example', 'invalid', 'example.com', 'example.net', 'example.org']

/**
 * Names of the machine and of local networks (RFC 6761, section 6.3; RFC 6762, section 3; RFC 8375;
 * RFC 7686; RFC 9476; `internal` by ICANN). `onion` and `alt` are not in the DNS at all.
 */
const LOCAL_DOMAINS = ['localhost', 'local', 'internal', 'localdomain', 'home.arpa', 'onion', 'alt']

function isInDomains(name: string, domains: readonly string[]): boolean {
  return domains.some((domain) => name === domain || name.endsWith(`.${domain}`))
}

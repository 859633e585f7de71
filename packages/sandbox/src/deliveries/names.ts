const reserved = ['test', 'example', 'invalid', 'example.com', 'example.net', 'example.org']

/** Names of the machine and of local networks. `onion` and `alt` are not in the DNS at all. */
const local = ['localhost', 'local', 'internal', 'localdomain', 'home.arpa', 'onion', 'alt']

/**
 * Whether a name is reserved for documentation and tests, so that no host can have it (RFC 2606, sections 2 and 3; RFC
 * 6761, sections 6.2, 6.4 and 6.5). Such names are never resolved here.
 *
 * @param name a host name in lower case, as `URL` gives it
 *
 * @example
 * isReservedName('hooks.loja.example') // true
 */
export function isReservedName(name: string): boolean {
  return isUnder(name, reserved)
}

/**
 * Whether a name can only belong to the machine itself or a local network (RFC 6761, section 6.3; RFC 6762, section 3;
 * RFC 8375; RFC 7686; RFC 9476; `internal` by ICANN), or has a single label, which no public host has (RFC 7085).
 *
 * @param name as for {@link isReservedName}
 *
 * @example
 * isLocalName('printer.local') // true
 * isLocalName('intranet') // true
 */
export function isLocalName(name: string): boolean {
  return isUnder(name, local) || (!name.includes('.') && !isReservedName(name))
}

function isUnder(name: string, domains: readonly string[]): boolean {
  return domains.some((domain) => name === domain || name.endsWith(`.${domain}`))
}

import { isIP } from 'node:net'
import { Refusal } from '../problems.ts'

/**
 * Returns a function that throws the refusal of a request to a host name that is not allowed. A page
 * of another site can send such a request if its domain name resolves to this machine (DNS
 * rebinding).
 *
 * @param allowed names to accept besides localhost and IP addresses
 * @throws {TypeError} if one of the names is invalid
 */
export function createHostGuard(allowed: readonly string[]): (request: Request) => void {
  const names = new Set(['localhost', ...allowed.map(normalizeName)])
  return ({ url }) => {
    const parsed = URL.parse(url)
    if (!parsed) throw new Refusal('invalid_request', { detail: HOST_IS_UNPARSABLE })
    if (parsed.username || parsed.password)
      throw new Refusal('invalid_request', { detail: URL_HAS_USER })

    const { hostname } = parsed
    const isAllowedName = names.has(withoutDot(hostname))
    const isAddress = isIP(withoutBrackets(hostname)) !== 0
    if (isAllowedName || isAddress) return

    // Not 421, after which `fetch` repeats the request.
    const status = 403
    const detail = `The host "${hostname}" is not allowed. ${EXPECTED_HOST} (in code, allowedHosts: ["NAME"]).`
    throw new Refusal('invalid_request', { status, detail })
  }
}

const HOST_IS_UNPARSABLE =
  'The host of the request cannot be parsed. Expected a name or an IP address, and a port to 65535.'
// RFC 9110, section 4.2.4.
const URL_HAS_USER =
  'The URL of the request has a user or a password. Send them in the Authorization header.'
const EXPECTED_HOST = 'Expected localhost, an IP address, or a name allowed with --allow-host NAME'

/** Normalizes a host as a URL does: lower case and Punycode. */
function normalizeName(text: string): string {
  const isNameAlone = /^[^\s/:?#@\\]+$/.test(text)
  const hostname = isNameAlone ? URL.parse(`http://${text}`)?.hostname : undefined
  if (!hostname) {
    throw new TypeError(`an allowed host must be a name without scheme and port, got "${text}"`)
  }
  return withoutDot(hostname)
}

/** An IPv6 address stands in brackets in a URL (RFC 3986, section 3.2.2). */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** A trailing dot marks a fully qualified name (RFC 1034, section 3.1). */
function withoutDot(hostname: string): string {
  return hostname.replace(/\.$/, '')
}

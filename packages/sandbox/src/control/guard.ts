import { isIP } from 'node:net'
import { Refusal } from '../problems.ts'

/**
 * Refuses what a page of someone else makes a browser send. A name that is none of ours may be made to lead here (DNS
 * rebinding), and a request with another origin is not of our page (RFC 6454, section 7).
 *
 * @param allowedHosts Names besides localhost, without a port.
 * @throws {Refusal} with status 403
 */
export function guard(request: Request, allowedHosts: readonly string[]): void {
  const url = new URL(request.url)
  if (!isKnown(url.hostname, allowedHosts)) forbid(UNKNOWN)
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== url.origin) forbid(FOREIGN)
  refuseForeignSite(request)
}

/**
 * A page can have a browser send a GET without its origin, as for an image. Then the browser tells where it is from
 * (Fetch Metadata, section 2.4); `none` is a person, at the address bar.
 */
function refuseForeignSite({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') forbid(FOREIGN_SITE)
}

function isKnown(hostname: string, allowedHosts: readonly string[]): boolean {
  if (hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return true
  return allowedHosts.some((name) => name.toLowerCase() === hostname)
}

const UNKNOWN = 'The host must be an address, localhost, or a name that the sandbox was told to answer to.'
const FOREIGN_SITE = 'The request must not come from a page of another origin.'
const FOREIGN = 'The origin must be that of the sandbox.'

function forbid(detail: string): never {
  throw new Refusal('invalid_request', { status: 403, detail })
}

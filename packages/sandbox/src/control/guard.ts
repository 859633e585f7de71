import { Refusal } from '../problems.ts'

/**
 * Refuses what a page of another site makes a browser send: a request with another origin is not of our page
 * (RFC 6454, section 7).
 *
 * @throws {Refusal} with status 403
 */
export function guard(request: Request): void {
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== new URL(request.url).origin)
    forbid('The origin must be that of the sandbox.')
  refuseForeignSite(request)
}

/**
 * A page can make a browser send a GET without its origin, as for an image. The browser then says where it comes from
 * (Fetch Metadata, section 2.4); `none` is a person, at the address bar.
 */
function refuseForeignSite({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  const isOwn = site === null || site === 'same-origin' || site === 'none'
  if (!isOwn) forbid('The request must not come from a page of another origin.')
}

function forbid(detail: string): never {
  throw new Refusal('invalid_request', { status: 403, detail })
}

import { Refusal } from '../problems.ts'

/**
 * Refuses requests that another site makes a browser send. Their Origin header differs from ours (RFC 6454, section 7).
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
 * Refuses GET requests from other sites, such as images: browsers send them without Origin, but with Sec-Fetch-Site
 * (Fetch Metadata, section 2.4). `none` means that a person typed the address.
 */
function refuseForeignSite({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  const isOwn = site === null || site === 'same-origin' || site === 'none'
  if (!isOwn) forbid('The request must not come from a page of another origin.')
}

function forbid(detail: string): never {
  throw new Refusal('invalid_request', { status: 403, detail })
}

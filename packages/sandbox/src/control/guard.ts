import { Refusal } from '../problems.ts'

/**
 * Refuses what a page of another site makes a browser send: a request with another origin is not of our page
 * (RFC 6454, section 7).
 *
 * @throws {Refusal} with status 403
 */
export function guard(request: Request): void {
  const origin = request.headers.get('origin')
  if (origin === null || origin === new URL(request.url).origin) return
  throw new Refusal('invalid_request', { status: 403, detail: 'The origin must be that of the sandbox.' })
}

import type { Outcome } from './requests.ts'
import { CannotRun } from './transport.ts'

const SIGN_IN = '/mobile-bff/v1/auth/partner/token/'

/**
 * Creates the error that says why a sign-in was not accepted, and what to do: the service cannot be
 * reached, the base URL is wrong, or the credentials are.
 */
export function createSignInError(
  identity: string,
  { status, response, failure }: Outcome,
  baseUrl: string,
): CannotRun {
  if (!response) return new CannotRun(`the service cannot be reached: ${failure}`)

  const url = baseUrl.replace(/\/$/, '') + SIGN_IN
  const hint = describeRepeatedPrefix(url)
  if (isHtml(response))
    return new CannotRun(
      `this does not look like the API of the contract: the sign-in returned ${status} with text/html from ${url}; is it the base URL?${hint}`,
    )

  const returned = `the sign-in as "${identity}" returned ${status} from ${url}`
  const { location } = response.headers
  const isRedirect = status < 400 && location !== undefined
  if (isRedirect) {
    const target = removeQuery(String(location))
    return new CannotRun(`${returned}, a redirect to ${target}; give that base URL`)
  }

  const advice = status === 401 ? 'are the client key and the secret right?' : 'expected a token'
  return new CannotRun(`${returned}: ${advice}${hint}`)
}

function isHtml({ headers, text }: NonNullable<Outcome['response']>): boolean {
  const type = String(headers['content-type'] ?? '')
  return /^text\/html\b/i.test(type) && text.trimStart().startsWith('<')
}

/** A query may contain secrets. */
function removeQuery(location: string): string {
  const [withoutQuery = ''] = location.split(/[?#]/, 1)
  return withoutQuery.slice(0, 200)
}

/**
 * Writes advice on a target that ends with the first segments of the paths, which the URL then has twice, such
 * as `/mobile-bff/mobile-bff/v1/…`; empty for any other.
 */
function describeRepeatedPrefix(url: string): string {
  const [, repeated] = /^(\/.+?)\1\//.exec(new URL(url).pathname) ?? []
  if (repeated === undefined) return ''
  return `; the paths of the contract begin with ${repeated}, so leave it out of the target`
}

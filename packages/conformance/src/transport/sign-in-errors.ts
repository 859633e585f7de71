import { CannotRun, NoToken } from '../model/errors.ts'
import { type HttpResponse, headerOf } from '../model/http.ts'

interface Refused {
  readonly url: URL
  readonly response: HttpResponse
}

/**
 * Explains why a sign-in returned no token.
 *
 * @throws {NoToken} if an API returned a success
 * @throws {CannotRun} otherwise
 */
export function throwSignInError(identity: string, { url, response }: Refused): never {
  const { status, text, headers } = response
  if (status === 0) throw new CannotRun(`the service cannot be reached: ${text}`)
  const repeated = repeatedPrefix(url) ?? ''
  if (isHtml(response))
    throw notAnApi(`the sign-in returned ${status} with text/html from ${url.href}`, repeated)
  const returned = `the sign-in as "${identity}" returned ${status} from ${url.href}`
  if (status < 300) throw new NoToken(`${returned}, without an access_token`)
  const location = headerOf(headers, 'location')
  if (status < 400 && location !== undefined)
    throw new CannotRun(`${returned}, a redirect to ${withoutQuery(location)}; give that base URL`)
  const hint = status === 401 ? 'are the client key and the secret right?' : 'expected a token'
  throw new CannotRun(`${returned}: ${hint}${repeated}`)
}

export function notAnApi(returned: string, hint = ''): CannotRun {
  return new CannotRun(
    `this does not look like the API of the contract: ${returned}; is it the base URL?${hint}`,
  )
}

export function isHtml({ headers, text }: HttpResponse): boolean {
  return /^text\/html\b/i.test(headerOf(headers, 'content-type') ?? '') && text.trimStart().startsWith('<')
}

/** A query may contain secrets. */
function withoutQuery(location: string): string {
  return (location.split(/[?#]/, 1)[0] ?? '').slice(0, 200)
}

/** Detects a target that repeats the first segments of the paths. */
function repeatedPrefix({ pathname }: URL): string | undefined {
  const [, repeated] = /^(\/.+?)\1\//.exec(pathname) ?? []
  return repeated && `; the paths of the contract begin with ${repeated}, so leave it out of the target`
}

import { fieldsOf, type Json, parsedJson } from '../json/json.ts'

/** What a service says of itself, so that payments and resets never reach another one by mistake. */
export type Disposable = 'sandbox' | 'mock'

/** Where a sandbox and a mock say what they are. */
export const ABOUT_PATHS: Readonly<Record<Disposable, string>> = {
  sandbox: '/_sandbox/about',
  mock: '/_mock/about',
}

/** The marker of each: the field `service`, which no other service has a reason to send. */
export const SERVICES: Readonly<Record<Disposable, string>> = {
  sandbox: 'partner-payments-sandbox',
  mock: 'partner-payments-mock',
}

/** The response to a GET that followed no redirect. */
export interface AboutResponse {
  readonly status: number
  readonly text: string
}

/** Sends a GET with these headers to a path below the base URL, and follows no redirect. */
export type Get = (path: string, headers: Headers) => Promise<AboutResponse>

type Headers = Readonly<Record<string, string>>

interface Question {
  /** What the service must be. */
  readonly kind: Disposable
  /** Whether it may be on another machine. */
  readonly isRemoteAllowed: boolean
  /**
   * The access token with which payments will be sent, which the service must have issued. A gateway
   * may send the question to a sandbox and payments to a live service, which then refuses the token.
   */
  readonly token?: string | undefined
  /**
   * Whether a service of an older version is one too, which repeats no nonce. Default: false, since a
   * cache may then respond in its place.
   */
  readonly mayBeOlder?: boolean
  readonly get: Get
}

/**
 * Finds what speaks against paying or resetting a service, as a sentence for its user; undefined if
 * the service shows that it is a sandbox, or the mock, of this project.
 *
 * Ask before the first request, and again before each payment or reset: another service may listen
 * on the same port by then. Ask with each access token before its first use.
 *
 * @example
 * const objection = await findObjection(url, { kind: 'sandbox', isRemoteAllowed: false, get })
 * if (objection !== undefined) throw new Error(objection)
 *
 * @throws (rejects) what `get` throws, such as the error of a connection
 */
export async function findObjection(
  { host, hostname }: URL,
  { kind, isRemoteAllowed, token, mayBeOlder = false, get }: Question,
): Promise<string | undefined> {
  const isAllowed = isRemoteAllowed || isOnThisMachine(hostname)
  if (!isAllowed)
    return `${host} is not this machine (localhost, 127.0.0.0/8 or ::1); if it is a ${kind} all the same, say so with --allow-remote-sandbox`

  const path = ABOUT_PATHS[kind]
  const headers: Headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const nonce = crypto.randomUUID()
  const { status, text } = await get(`${path}?nonce=${nonce}`, headers)
  const about = status === 200 ? parseAbout(text) : {}
  if (!isAbout(kind, about)) {
    const returned = `GET ${path} returned ${status}${isRedirect(status) ? ', a redirect' : ''}`
    return `${host} is not known to be a ${kind} of the partner payments API: ${returned}, expected 200 with "service": "${SERVICES[kind]}"`
  }

  // Only older versions leave the nonce out.
  const isOlder = about.nonce === undefined
  if (isOlder && !mayBeOlder)
    return `the ${kind} at ${host} has version ${about.version}, which does not repeat the nonce of a question, so a cache may have responded: start a ${kind} of the version of this command`

  const isOfAnotherQuestion = !isOlder && about.nonce !== nonce
  if (isOfAnotherQuestion)
    return `${host} returned the response to another question, as a cache in front of the ${kind} does, so payments may reach another service: send requests past the cache`

  const isForeignToken = token !== undefined && about.issued_token !== true
  if (isForeignToken)
    return `the ${kind} at ${host} did not issue the access token, so payments may reach another service: send all paths to the ${kind}, and take a token of its own`

  return undefined
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

/**
 * Reads the nonce of a question. The response repeats it, so that a response of a cache, which has an
 * older one, is recognized. Undefined unless it is 1 to 64 letters, digits, `_` or `-`: no other text
 * is repeated.
 */
export function readNonce(url: URL): string | undefined {
  const nonce = url.searchParams.get('nonce') ?? ''
  return /^[\w-]{1,64}$/.test(nonce) ? nonce : undefined
}

/** Characters of the response; a sandbox needs about 250. */
const MAX_CHARACTERS = 2_000

function parseAbout(text: string): Json {
  return text.length > MAX_CHARACTERS ? {} : fieldsOf(parsedJson(text))
}

function isAbout(kind: Disposable, about: Json): boolean {
  if (about.service !== SERVICES[kind] || !isVersion(about.version)) return false
  if (kind === 'mock') return true
  return isTimestamp(about.now) && typeof about.frozen === 'boolean'
}

/** Nothing may follow the version: an objection quotes it, to a terminal or an agent. */
function isVersion(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[\w.-]{1,30})?$/.test(value)
}

function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

/**
 * Whether the host of a URL is this machine by its text alone. A name such as `sandbox` in a compose
 * file is another machine, wherever it resolves to.
 */
export function isOnThisMachine(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true
  // All of 127.0.0.0/8 (RFC 6890), which a URL writes with four numbers.
  return /^127(\.\d{1,3}){3}$/.test(hostname)
}

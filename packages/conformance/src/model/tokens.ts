import type { TokenKind } from '@partner-payments/contract'
import type { Lifetime } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, type Identity, nameOf, type Token } from './exchange.ts'
import { hasCertainTime } from './unknown.ts'

/** Limits of what is remembered: tokens, texts of responses that issue tokens, and refused notations. */
const MAX_TOKENS = 10_000
const MAX_TEXTS = 100
const MAX_REFUSED_NOTATIONS = 100

/** Milliseconds by which the end of a token may differ: clocks do, and a service may write it in whole seconds. */
export const TOKEN_MARGIN_MS = 5_000

/** The response of a sign-in or an impersonation. */
interface IssuingResponse {
  readonly text: string
  /** The access token at its declared place; undefined if nothing is there. */
  readonly accessToken: PlacedToken | undefined
}

/** A token with the pointer at which a response shows it. */
interface PlacedToken {
  readonly credential: string
  readonly pointer: string
}

/** The tokens that the history has shown: whose they are, and which the service has accepted. */
export class Tokens {
  /** The tokens by their credential, which is the text after the scheme. */
  readonly #byCredential = new Bounded<string, Token>(MAX_TOKENS)
  /** The last access token of each identity. */
  readonly #latest = new Bounded<string, Token>(MAX_TOKENS)
  /** The operations that accepted a token. */
  readonly #acceptedBy = new WeakMap<Token, Set<string>>()
  /** When a token was last accepted, by the clock of the service, as far as that is known. */
  readonly #acceptedAt = new WeakMap<Token, number>()
  /** By when the request was sent. */
  readonly #issuingResponses = new Bounded<number, IssuingResponse>(MAX_TEXTS)

  /** By credential and operation: the last request that was refused with 401 in another notation. */
  readonly #refusedNotations = new Bounded<string, Exchange>(MAX_REFUSED_NOTATIONS)

  /** Whether a request with any of the tokens was accepted. */
  #wasAnyAccepted = false

  #hasOutlivedMilliseconds = false

  get forgotten(): number {
    return this.#byCredential.forgotten
  }

  get wasAnyAccepted(): boolean {
    return this.#wasAnyAccepted
  }

  /**
   * Whether a token has worked for longer than its `expiration` in milliseconds, so that this number has another unit:
   * for a minute, with 3600.
   */
  get hasOutlivedMilliseconds(): boolean {
    return this.#hasOutlivedMilliseconds
  }

  /** The token of an authorization header, whatever its scheme. */
  findToken(authorization = ''): Token | undefined {
    return this.#byCredential.get(readCredential(authorization))
  }

  /**
   * Whether a response that issues tokens has shown a credential in any form, such as under another
   * name. Then nobody made it up, although it is not known whose it is.
   */
  wasShown(authorization: string): boolean {
    return this.#findIssuingResponse(authorization) !== undefined
  }

  /**
   * Finds that a request uses a token from another place of a response than the declared one, such as from `/jwt`.
   * Returns the declared place, such as `/access_token`. Undefined if the token is a known one or was never shown, or
   * if the response has nothing at the declared place.
   */
  findOtherPlace(authorization: string): string | undefined {
    const isKnownToken = this.findToken(authorization) !== undefined
    if (isKnownToken) return undefined

    const accessToken = this.#findIssuingResponse(authorization)?.accessToken
    if (!accessToken) return undefined

    // A token at the declared place may also be unknown, if nobody knows for whom it was issued.
    const isAtDeclaredPlace = accessToken.credential === readCredential(authorization)
    return isAtDeclaredPlace ? undefined : accessToken.pointer
  }

  /** The response that shows a credential as a string anywhere in its JSON. */
  #findIssuingResponse(authorization: string): IssuingResponse | undefined {
    const quotedCredential = JSON.stringify(readCredential(authorization))
    const responses = [...this.#issuingResponses.values()]
    return responses.find(({ text }) => text.includes(quotedCredential))
  }

  /** Whether a token is the last one that was issued for its identity. */
  isLatest(token: Token): boolean {
    return this.#latest.get(nameOf(token.identity)) === token
  }

  /** Whether a token, also one to refresh, is of the last sign-in of its identity. */
  isOfLatest({ identity, issuedAt }: Token): boolean {
    return this.#latest.get(nameOf(identity))?.issuedAt === issuedAt
  }

  /** Whether a token is the last one of its identity, whose partner has not signed in since. */
  isOfLastSignIn(token: Token): boolean {
    const lastSignIn = this.#latest.get(nameOf({ partner: token.identity.partner }))
    const isOlder = lastSignIn !== undefined && token.issuedAt < lastSignIn.issuedAt
    return this.isLatest(token) && !isOlder
  }

  /** Whether a request with a token was accepted. */
  wasAccepted(token: Token): boolean {
    return this.#acceptedBy.has(token)
  }

  /** Whether an operation has accepted a token before. */
  wasAcceptedBy(token: Token, { operation }: Pick<Exchange, 'operation'>): boolean {
    return operation !== undefined && this.#acceptedBy.get(token)?.has(operation.id) === true
  }

  /** When a request with a token was last accepted; undefined if none was, or nobody knows when. */
  findLastAcceptance(token: Token): number | undefined {
    return this.#acceptedAt.get(token)
  }

  /**
   * The request with the same credential and of the same operation that was refused with 401 in another notation, such
   * as `bearer abc`. Undefined if there is none, or if the plain request was accepted since.
   */
  findRefusedNotation(exchange: Exchange): Exchange | undefined {
    return this.#refusedNotations.get(useKey(exchange))
  }

  /** Remembers that an operation accepted a token, and when. */
  #noteAccepted(token: Token, exchange: Exchange): void {
    const { operation, trace } = exchange
    this.#wasAnyAccepted = true
    if (hasCertainTime(exchange)) {
      this.#acceptedAt.set(token, trace.time)
      if (hasOutlivedMilliseconds(token, exchange)) this.#hasOutlivedMilliseconds = true
    }

    const operations = this.#acceptedBy.get(token) ?? new Set()
    this.#acceptedBy.set(token, operations.add(operation?.id ?? ''))
  }

  /**
   * Takes in the next exchange. An accepted request says that the token in its header works. If it is a
   * sign-in or an impersonation, its response also issues an access token and a refresh token.
   */
  fold(exchange: Exchange): void {
    const { outcome, operation, token, intent, status } = exchange
    const isRefusedNotation = status === 401 && intent?.isNotation === true
    if (isRefusedNotation) this.#refusedNotations.set(useKey(exchange), exchange)
    if (outcome !== 'accepted') return

    this.#refusedNotations.delete(useKey(exchange))
    if (token) this.#noteAccepted(token, exchange)
    if (operation && ISSUING_OPERATIONS.has(operation.id))
      this.#rememberIssuedTokens(exchange, operation.id)
  }

  /**
   * Remembers the access token and the refresh token that a response issues, with the identity that they stand for.
   * If that is not known, remembers only the text, so that its tokens count as issued.
   */
  #rememberIssuedTokens(exchange: Exchange, operation: string): void {
    const { sentAt, response, responseBody } = exchange
    const accessToken = readAccessToken(operation, responseBody)
    this.#issuingResponses.set(sentAt, { text: response?.text ?? '', accessToken })

    const identity = findIssuedIdentity(exchange)
    if (!identity) return

    const token = buildAccessToken(identity, exchange, operation)
    this.#latest.set(nameOf(identity), token)
    if (accessToken) this.#byCredential.set(accessToken.credential, token)

    const refreshToken = stringAt(responseBody, '/refresh_token')
    // A service may show one refresh token in several responses: it stays that of the sign-in that showed it first.
    if (!refreshToken || this.#byCredential.has(refreshToken)) return
    this.#byCredential.set(refreshToken, { ...token, kind: 'refresh' })
  }
}

/** The credential of a request and its operation, as a text. */
function useKey({ request, operation }: Exchange): string {
  return `${readCredential(request.headers.authorization ?? '')} ${operation?.id}`
}

/** Whether a token that is accepted is older than its `expiration` in milliseconds, by more than clocks differ. */
function hasOutlivedMilliseconds(
  { kind, expiration, issuedAt }: Token,
  exchange: Exchange,
): boolean {
  if (kind !== 'access' || expiration === undefined) return false
  const ageMs = readRequestTime(exchange) - issuedAt
  return ageMs > expiration + TOKEN_MARGIN_MS
}

/** Builds the access token that an operation issues to an identity. */
function buildAccessToken(identity: Identity, exchange: Exchange, operation: string): Token {
  const lifetime = readLifetime(exchange, operation)
  return {
    identity,
    kind: 'access',
    issuedBy: operation,
    requestedAt: readRequestTime(exchange),
    issuedAt: exchange.trace.time,
    expiration: lifetime?.expiration,
    // Of a token without a known lifetime, no rule can say that it is too old.
    until: lifetime?.until ?? Number.POSITIVE_INFINITY,
    certainUntil: lifetime?.certainUntil ?? Number.POSITIVE_INFINITY,
    type: stringAt(exchange.responseBody, '/type'),
  }
}

/** When a request was sent, by the clock that the service has at the response. */
function readRequestTime({ sentAt, completeAt, trace }: Exchange): number {
  return trace.time - (completeAt - sentAt)
}

/** The operations whose responses have tokens. */
export const ISSUING_OPERATIONS: ReadonlySet<string> = new Set(['signIn', 'impersonate'])

/** The milliseconds in each unit of a lifetime. */
const UNIT_MS = { seconds: 1_000, milliseconds: 1 } as const

/** Where an operation shows the access token that it issues, and where its lifetime. */
interface DeclaredToken extends Pick<Lifetime, 'expires'> {
  readonly pointer: string
}

/**
 * Finds where an operation shows the access token that it issues: of `signIn`,
 * `{ pointer: '/access_token', expires: { field: '/expiration', unit: 'seconds' } }`. Undefined if it issues none.
 */
function findDeclaredToken(operation: string): DeclaredToken | undefined {
  for (const { of: places, expires } of Object.values<Lifetime>(behaviour.lifetimes)) {
    for (const place of places) {
      // Such as `signIn#/access_token`.
      const [issuer, pointer = ''] = place.split('#')
      if (issuer === operation) return { pointer, expires }
    }
  }
  return undefined
}

/** Reads the access token that a response shows at the declared place; undefined if nothing is there. */
function readAccessToken(operation: string, responseBody: unknown): PlacedToken | undefined {
  const pointer = findDeclaredToken(operation)?.pointer
  if (pointer === undefined) return undefined

  const credential = stringAt(responseBody, pointer)
  return credential ? { credential, pointer } : undefined
}

/** How long a token works, as the response shows it, and until when, at most and at least. */
interface ShownLifetime {
  readonly expiration: number
  readonly until: number
  readonly certainUntil: number
}

/**
 * Reads how long the access token of a response works. A service may show the time of its end instead of a number of
 * seconds. Undefined if it shows no number, or nobody knows when it responded.
 */
function readLifetime(exchange: Exchange, operation: string): ShownLifetime | undefined {
  const declared = findDeclaredToken(operation)
  if (!declared || !hasCertainTime(exchange)) return undefined

  const { field, unit } = declared.expires
  const expiration = valueAt(exchange.responseBody, field)
  if (typeof expiration !== 'number') return undefined

  const end = readTimeIfUnix(expiration, exchange.trace.time)
  if (end !== undefined) return { expiration, until: end, certainUntil: end }

  const lifetimeMs = expiration * UNIT_MS[unit]
  return {
    expiration,
    until: exchange.trace.time + lifetimeMs,
    certainUntil: readRequestTime(exchange) + lifetimeMs,
  }
}

/** No token works for so long. */
const YEAR_MS = 365 * 24 * 3_600_000

/**
 * Reads the expiration of a token as the Unix time of its end, if it is one of the year after its issue, in seconds
 * or milliseconds: 1790000000, and 1790000000000, give 1790000000000. Undefined of any other number, such as 3600,
 * which is how long the token works.
 */
export function readTimeIfUnix(expiration: number, issuedAt: number): number | undefined {
  const times = [expiration * 1_000, expiration]
  return times.find((time) => time >= issuedAt && time <= issuedAt + YEAR_MS)
}

/**
 * Whom the tokens of a response stand for: the partner that signed in, `{ partner: 'key_1' }`, or the customer that it
 * acts as, `{ partner: 'key_1', customer: 'cus_1' }`. Undefined if that is not known.
 */
function findIssuedIdentity(exchange: Exchange): Identity | undefined {
  const { operation, request, identity, requestBody } = exchange
  if (operation?.id === 'signIn') {
    const partner = readClientKey(request.headers.authorization)
    return partner === undefined ? undefined : { partner }
  }

  const customer = stringAt(requestBody, '/customer_id')
  if (!identity || !customer) return undefined
  return { partner: identity.partner, customer }
}

/** The client key in a header with Basic credentials: `key_1` of `key_1:secret` in Base64. Undefined of other headers. */
function readClientKey(authorization = ''): string | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined

  const credentials = Buffer.from(encoded, 'base64').toString()
  return credentials.split(':', 1)[0]
}

/** The kind of the tokens that an identity has. */
export function tokenKindOf(identity: Identity | undefined): TokenKind {
  return identity?.customer === undefined ? 'partner' : 'customer'
}

/** Reads what follows the scheme of an authorization header: a token, or Basic credentials. */
function readCredential(authorization: string): string {
  return authorization.split(' ').at(-1) ?? ''
}

/** The scheme of an authorization header, in lower case. */
export function schemeOf(authorization = ''): string {
  const end = authorization.indexOf(' ')
  return end === -1 ? '' : authorization.slice(0, end).toLowerCase()
}

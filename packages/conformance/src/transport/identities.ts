import type { Contract } from '../model/contract.ts'
import { nodeOf } from '../model/document.ts'
import { CannotRun } from '../model/errors.ts'
import type { Exchange, Identity, RequestIdentity } from '../model/exchange.ts'
import { type HttpResponse, parsed } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import { requestPath } from '../model/paths.ts'
import {
  type Access,
  basicHeader,
  credentialsIn,
  type Token,
  tokenOf,
  tokenWithoutExpiry,
  VARIABLES,
} from './credentials.ts'
import type { Guard } from './guard.ts'
import type { Mask } from './mask.ts'
import { throwSignInError } from './sign-in-errors.ts'
import type { Transport } from './transport.ts'

/** The identities of a run, with their tokens. */
export interface Identities {
  /** The authorization header of a request; undefined if it has none. */
  headerOf(identity: RequestIdentity, view: OperationView | undefined): Promise<string | undefined>
  /** Masks the secrets in a response. */
  learn(exchange: Exchange): void
  /** Uses the tokens of a customer for the identity `customer`. */
  impersonate(tokens: unknown): void
  /** Discards tokens, so that the next request signs in again. */
  signOut(): void
  /** A new authorization header after a 401; undefined if the refused token did not come from a sign-in. */
  renewedHeader(identity: RequestIdentity, refused: string | undefined): Promise<string | undefined>
  /** The authorization header for a token. */
  headerWith(token: string): string
  /** Sets the authentication scheme for tokens; undefined sends the bare token. */
  useScheme(scheme: string | undefined): void
  /** The token type that the sign-in returned. */
  readonly tokenType: string | undefined
  readonly has: (identity: Identity) => boolean
  /** Refresh tokens from responses, for rules that send them as access tokens. */
  readonly refreshTokens: readonly string[]
}

interface IdentitiesOptions {
  readonly contract: Contract
  readonly transport: Transport
  readonly mask: Mask
  /** Base URL of the service, for messages. */
  readonly base: URL
  readonly partner: Access | undefined
  readonly other: Access | undefined
  /** Checks a sign-in before it is sent. */
  readonly guard?: Guard
  /** Aborts a pending sign-in. */
  readonly signal?: AbortSignal
  /** Called with each sign-in. */
  readonly observe: (exchange: Exchange) => void
}

export function createIdentities({
  contract,
  transport,
  mask,
  base,
  partner,
  other,
  observe,
  guard = () => {},
  signal,
}: IdentitiesOptions): Identities {
  const tokens = new Map<Identity, Promise<Token>>()
  const refreshTokens: string[] = []
  let scheme: string | undefined = 'Bearer'
  let tokenType: string | undefined
  const headerWith = (token: string) => (scheme === undefined ? token : `${scheme} ${token}`)
  const used = new Map<Identity, Set<string>>()
  const { signIn } = contract
  const accessOf = (identity: Identity) => (identity === 'other' ? other : partner)

  function learn(body: unknown): void {
    const { access_token, refresh_token, secret } = nodeOf(body)
    if (typeof access_token === 'string' && !mask.has(access_token)) mask.add(access_token, '$TOKEN')
    if (typeof secret === 'string') mask.add(secret, '$SECRET')
    if (typeof refresh_token !== 'string') return
    mask.add(refresh_token, '$REFRESH_TOKEN')
    if (refreshTokens.length < 10) refreshTokens.push(refresh_token)
  }

  async function token(identity: Identity): Promise<Token> {
    const access = accessOf(identity)
    if (access && 'token' in access) return tokenWithoutExpiry(access.token)
    const credentials = credentialsIn(access)
    if (!signIn) throw new CannotRun('the contract has no sign-in, so a token is needed')
    const authorization = basicHeader(credentials)
    const request = {
      method: signIn.method,
      path: requestPath(signIn, {}),
      headers: { authorization },
      body: undefined,
    }
    // After the end of the run, only the cleanup signs in.
    if (!signal?.aborted) guard(signIn, request)
    const response = await withOneRetry(() => transport.send(request, signal?.aborted ? undefined : signal))
    const url = new URL(base.href.replace(/\/$/, '') + request.path)
    const body = parsed(response)
    learn(body)
    const freshToken = tokenOf(body)
    tokenType ??= typeOf(body)
    if (freshToken) mask.add(freshToken.token, VARIABLES[identity].token)
    observe({ view: signIn, input: {}, request, response, body })
    return freshToken ?? throwSignInError(identity, { url, response })
  }

  async function current(identity: Identity): Promise<string> {
    const { token } = await valid(identity)
    // Keeps a token in use among the most recent secrets.
    mask.add(token, VARIABLES[identity].token)
    return headerWith(token)
  }

  async function valid(identity: Identity): Promise<Token> {
    const pending = tokens.get(identity) ?? renew(identity)
    const known = await pending
    return known.until > Date.now() || identity === 'customer' ? known : renewedOnce(identity, pending)
  }

  /** The first caller renews the token for all: a service may end a session when its owner signs in again. */
  function renewedOnce(identity: Identity, old: Promise<Token>): Promise<Token> {
    const newer = tokens.get(identity)
    return newer && newer !== old ? newer : renew(identity)
  }

  function renew(identity: Identity): Promise<Token> {
    const freshToken = token(identity)
    tokens.set(identity, freshToken)
    freshToken.then(
      ({ token }) => used.set(identity, (used.get(identity) ?? new Set()).add(token)),
      // The next request can sign in again.
      () => tokens.get(identity) === freshToken && tokens.delete(identity),
    )
    return freshToken
  }

  async function headerOf(
    identity: RequestIdentity,
    view: OperationView | undefined,
  ): Promise<string | undefined> {
    if (identity === null) return undefined
    if (typeof identity === 'object') return identity.authorization
    const access = accessOf(identity) ?? partner
    if (view?.scheme === 'basic') return basicHeader(credentialsIn(access))
    if (view?.scheme === 'bearer') return current(identity)
    // Requests outside the contract also send a token, if there is one.
    return view === undefined && access && (signIn || 'token' in access) ? current(identity) : undefined
  }

  return {
    headerOf,
    learn: ({ body }) => learn(body),
    impersonate(body) {
      const freshToken = tokenOf(body)
      if (!freshToken) return
      mask.add(freshToken.token, VARIABLES.customer.token)
      tokens.set('customer', Promise.resolve(freshToken))
    },
    signOut() {
      tokens.delete('partner')
      tokens.delete('other')
    },
    async renewedHeader(identity, refused) {
      if (identity !== 'partner' && identity !== 'other') return undefined
      const pending = tokens.get(identity)
      const known = await pending
      if (!pending || !known || !signIn || known.until === Number.POSITIVE_INFINITY) return undefined
      const token = refused?.split(' ').at(-1) ?? ''
      if (!used.get(identity)?.has(token)) return undefined
      return headerWith(known.token === token ? (await renewedOnce(identity, pending)).token : known.token)
    },
    has: (identity) => (identity === 'customer' ? tokens.has('customer') : accessOf(identity) !== undefined),
    refreshTokens,
    headerWith,
    useScheme(other) {
      scheme = other
    },
    get tokenType() {
      return tokenType
    },
  }
}

/** A sign-in is retried once after a 5xx, because the run cannot continue without it. */
async function withOneRetry(ask: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const response = await ask()
  return response.status >= 500 ? ask() : response
}

/** The token type, if it can be an authentication scheme (RFC 9110, section 11.1). */
function typeOf(body: unknown): string | undefined {
  const { type, token_type = type } = nodeOf(body)
  return typeof token_type === 'string' && /^[\w-]{1,40}$/.test(token_type) ? token_type : undefined
}

import type { Contract } from '../model/contract.ts'
import { nodeOf } from '../model/document.ts'
import { CannotRun } from '../model/errors.ts'
import { type Exchange, type Identity, pathOf, type RequestIdentity } from '../model/exchange.ts'
import type { HttpResponse } from '../model/http.ts'
import { parsed } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import {
  type Access,
  type AuthParts,
  basicHeader,
  credentialsIn,
  keyInPlace,
  type Token,
  tokenIn,
  tokenOf,
  tokenWithoutExpiry,
  VARIABLES,
} from './credentials.ts'
import type { Guard } from './guard.ts'
import type { Mask } from './mask.ts'
import { throwSignInError } from './sign-in-errors.ts'
import type { Transport } from './transport.ts'

/** Who requests are sent as, with their tokens. */
export interface Identities {
  /** The header `authorization` of a request; undefined where it has none. */
  headerOf(identity: RequestIdentity, view: OperationView | undefined): Promise<string | undefined>
  /** What tells a service who sends a request. */
  authOf(identity: RequestIdentity, view: OperationView | undefined): Promise<AuthParts>
  /** Takes note of secrets in an answer. */
  learn(exchange: Exchange): void
  /** Makes the tokens that act for a customer the identity `customer`. */
  impersonate(tokens: unknown): void
  /** Signs in anew when a token is needed next. */
  signOut(): void
  /** Signs in anew where the token that was refused is still the one in use; undefined where it never was of a sign-in. */
  renewedHeader(identity: RequestIdentity, refused: string | undefined): Promise<string | undefined>
  /** The header with which a token is sent. */
  headerWith(token: string): string
  /** Sends tokens with another scheme from now on; undefined: without one. */
  useScheme(scheme: string | undefined): void
  /** What a sign-in called the type of its token. */
  readonly tokenType: string | undefined
  readonly has: (identity: Identity) => boolean
  /** Tokens that answers gave, to be tried where they do not belong. */
  readonly refreshTokens: readonly string[]
}

interface IdentitiesOptions {
  readonly contract: Contract
  readonly transport: Transport
  readonly mask: Mask
  /** Where the service is, for messages. */
  readonly base: URL
  readonly partner: Access | undefined
  readonly other: Access | undefined
  /** Looks at a sign-in before it leaves, as at any other request. */
  readonly guard?: Guard
  /** Ends a sign-in that is under way. */
  readonly signal?: AbortSignal
  /** Told of each sign-in, as of any other exchange. */
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
  // What means no operation goes with the key of the others.
  const keyed = contract.operations.find(({ key }) => key !== undefined)
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
    if (!signIn) throw new CannotRun('the contract has no operation that signs in: a token is needed')
    const authorization = basicHeader(credentials)
    const request = {
      method: signIn.method,
      path: pathOf(signIn, {}),
      headers: { authorization },
      body: undefined,
    }
    // Once a run has ended, it is for what removes what the run made.
    if (!signal?.aborted) guard(signIn, request)
    const response = await withOneRetry(() => transport.send(request, signal?.aborted ? undefined : signal))
    const url = new URL(base.href.replace(/\/$/, '') + request.path)
    const body = parsed(response)
    learn(body)
    const made = tokenOf(body)
    tokenType ??= typeOf(body)
    if (made) mask.add(made.token, VARIABLES[identity].token)
    observe({ view: signIn, input: {}, request, response, body })
    return made ?? throwSignInError(identity, { url, response })
  }

  async function current(identity: Identity): Promise<string> {
    const { token } = await valid(identity)
    // As long as it is in use, it is among those that were named last.
    mask.add(token, VARIABLES[identity].token)
    return headerWith(token)
  }

  async function valid(identity: Identity): Promise<Token> {
    const held = tokens.get(identity) ?? renew(identity)
    const known = await held
    if (known.until > Date.now() || identity === 'customer') return known
    // Whoever comes first renews it for all.
    const newer = tokens.get(identity)
    return newer && newer !== held ? newer : renew(identity)
  }

  function renew(identity: Identity): Promise<Token> {
    const made = token(identity)
    tokens.set(identity, made)
    made.then(
      ({ token }) => used.set(identity, (used.get(identity) ?? new Set()).add(token)),
      // What failed once may work when a token is needed next.
      () => tokens.get(identity) === made && tokens.delete(identity),
    )
    return made
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
    // What means no operation goes with the token all the same, where there is one to be had.
    return view === undefined && access && (signIn || 'token' in access) ? current(identity) : undefined
  }

  function keyOf(identity: RequestIdentity): string | undefined {
    if (identity === null) return undefined
    if (typeof identity === 'object') return identity.authorization
    return tokenIn(accessOf(identity) ?? partner)
  }

  return {
    headerOf,
    async authOf(identity, view) {
      const { key } = view ?? keyed ?? {}
      if (key) return keyInPlace(key, keyOf(identity))
      const authorization = await headerOf(identity, view)
      return { headers: authorization === undefined ? {} : { authorization }, query: {} }
    },
    learn: ({ body }) => learn(body),
    impersonate(body) {
      const made = tokenOf(body)
      if (!made) return
      mask.add(made.token, VARIABLES.customer.token)
      tokens.set('customer', Promise.resolve(made))
    },
    signOut() {
      tokens.delete('partner')
      tokens.delete('other')
    },
    async renewedHeader(identity, refused) {
      const known = identity === 'partner' || identity === 'other' ? await tokens.get(identity) : undefined
      if (!known || typeof identity !== 'string' || !signIn || known.until === Number.POSITIVE_INFINITY)
        return undefined
      const token = refused?.split(' ').at(-1) ?? ''
      if (!used.get(identity)?.has(token)) return undefined
      return headerWith(known.token === token ? (await renew(identity)).token : known.token)
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

/** Once more where the service failed: without a token nothing goes on. */
async function withOneRetry(ask: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const response = await ask()
  return response.status >= 500 ? ask() : response
}

/** The type of a token where it may be a scheme (RFC 9110, section 11.1). */
function typeOf(body: unknown): string | undefined {
  const { type, token_type = type } = nodeOf(body)
  return typeof token_type === 'string' && /^[\w-]{1,40}$/.test(token_type) ? token_type : undefined
}

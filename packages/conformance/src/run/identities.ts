import type { Contract, OperationView } from './contract.ts'
import { nodeOf } from './document.ts'
import { type Exchange, type Identity, parsed, pathOf, type Who } from './exchange.ts'
import type { Mask } from './mask.ts'
import { CannotRun, refusedSignIn } from './refused-sign-in.ts'
import type { Reply, Wire } from './wire.ts'

/** A client key and its secret. */
export interface Credentials {
  readonly clientKey: string
  readonly clientSecret: string
}

/** How one comes in: by signing in, or with a bearer token where the contract has no sign-in. */
export type Access = Credentials | { readonly token: string }

/** Who requests are sent as, with their tokens. */
export interface Identities {
  /** The header `authorization` of a request; undefined where it has none. */
  headerOf(who: Who, view: OperationView | undefined): Promise<string | undefined>
  /** Takes note of secrets in an answer. */
  learn(exchange: Exchange): void
  /** Makes the tokens that act for a customer the identity `customer`. */
  become(tokens: unknown): void
  /** Signs in anew when a token is needed next. */
  forget(): void
  readonly has: (who: Identity) => boolean
  /** Tokens that answers gave, to be tried where they do not belong. */
  readonly refreshTokens: readonly string[]
}

interface IdentitiesOptions {
  readonly contract: Contract
  readonly wire: Wire
  readonly mask: Mask
  readonly partner: Access | undefined
  readonly other: Access | undefined
  /** Ends a sign-in that is under way. */
  readonly signal?: AbortSignal
  /** Told of each sign-in, as of any other exchange. */
  readonly observe: (exchange: Exchange) => void
}

/** Milliseconds before its end at which a token is no longer used, and of its whole time at most. */
const MARGIN = 30_000
const MARGIN_SHARE = 0.25

type Token = { readonly header: string; readonly until: number }

export function createIdentities({
  contract,
  wire,
  mask,
  partner,
  other,
  observe,
  signal,
}: IdentitiesOptions): Identities {
  const tokens = new Map<Identity, Promise<Token>>()
  const refreshTokens: string[] = []
  const signIn = contract.operations.find(({ scheme }) => scheme === 'basic')
  const accessOf = (who: Identity) => (who === 'other' ? other : partner)

  function learn(body: unknown): void {
    const { access_token, refresh_token, secret } = nodeOf(body)
    if (typeof access_token === 'string') mask.add(access_token, '$TOKEN')
    if (typeof secret === 'string') mask.add(secret, '$SECRET')
    if (typeof refresh_token !== 'string') return
    mask.add(refresh_token, '$REFRESH_TOKEN')
    if (refreshTokens.length < 10) refreshTokens.push(refresh_token)
  }

  async function token(who: Identity): Promise<Token> {
    const access = accessOf(who)
    if (access && 'token' in access) return tokenGiven(access.token, mask)
    const credentials = credentialsIn(access)
    if (!signIn) throw new CannotRun('the contract has no operation that signs in: a token is needed')
    const authorization = basicOf(credentials, mask)
    const call = {
      method: signIn.method,
      path: pathOf(signIn, {}),
      headers: { authorization },
      body: undefined,
    }
    const reply = await twice(() => wire.send(call, signal?.aborted ? undefined : signal))
    const body = parsed(reply)
    learn(body)
    observe({ view: signIn, input: {}, call, reply, body })
    return tokenOf(body) ?? refusedSignIn(who, reply)
  }

  async function current(who: Identity): Promise<string> {
    const held = tokens.get(who) ?? renew(who)
    const known = await held
    if (known.until > Date.now() || who === 'customer') return known.header
    // Whoever comes first renews it for all.
    const newer = tokens.get(who)
    return (await (newer && newer !== held ? newer : renew(who))).header
  }

  function renew(who: Identity): Promise<Token> {
    const made = token(who)
    tokens.set(who, made)
    // What failed once may work when a token is needed next.
    made.catch(() => tokens.get(who) === made && tokens.delete(who))
    return made
  }

  return {
    async headerOf(who, view) {
      if (who === null) return undefined
      if (typeof who === 'object') return who.authorization
      const access = accessOf(who) ?? partner
      if (view?.scheme === 'basic') return basicOf(credentialsIn(access), mask)
      if (view?.scheme === 'bearer') return current(who)
      // What means no operation goes with the token all the same, where there is one to be had.
      return view === undefined && access && (signIn || 'token' in access) ? current(who) : undefined
    },
    learn: ({ body }) => learn(body),
    become(body) {
      const made = tokenOf(body)
      if (made) tokens.set('customer', Promise.resolve(made))
    },
    forget() {
      tokens.delete('partner')
      tokens.delete('other')
    },
    has: (who) => (who === 'customer' ? tokens.has('customer') : accessOf(who) !== undefined),
    refreshTokens,
  }
}

function credentialsIn(access: Access | undefined): Credentials {
  if (access && 'clientKey' in access) return access
  throw new CannotRun('the contract asks for credentials, and none were given')
}

function tokenGiven(token: string, mask: Mask): Token {
  mask.add(token, '$TOKEN')
  return { header: `Bearer ${token}`, until: Number.POSITIVE_INFINITY }
}

function basicOf({ clientKey, clientSecret }: Credentials, mask: Mask): string {
  const encoded = Buffer.from(`${clientKey}:${clientSecret}`).toString('base64')
  mask.add(encoded, '$CREDENTIALS')
  mask.add(clientSecret, '$CLIENT_SECRET')
  return `Basic ${encoded}`
}

function tokenOf(body: unknown): Token | undefined {
  const { access_token, expiration } = nodeOf(body)
  if (typeof access_token !== 'string') return undefined
  const ms = 1000 * (typeof expiration === 'number' && expiration > 0 ? expiration : 300)
  const margin = Math.min(MARGIN, ms * MARGIN_SHARE)
  return { header: `Bearer ${access_token}`, until: Date.now() + ms - margin }
}

/** Once more where the service failed: without a token nothing goes on. */
async function twice(ask: () => Promise<Reply>): Promise<Reply> {
  const reply = await ask()
  return reply.status >= 500 ? ask() : reply
}

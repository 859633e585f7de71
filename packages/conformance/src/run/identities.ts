import type { Contract, KeyPlace, OperationView } from './contract.ts'
import { nodeOf } from './document.ts'
import { type Exchange, type Identity, parsed, pathOf, type Who } from './exchange.ts'
import type { Mask } from './mask.ts'
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
  /** What tells a service who sends a request. */
  proofOf(who: Who, view: OperationView | undefined): Promise<Proof>
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

/** Parts of a request by which its sender is known. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/** A success of the sign-in without a token: nothing else can be asked, and what is wrong with it can be said. */
export class NoToken extends CannotRun {}

interface IdentitiesOptions {
  readonly contract: Contract
  readonly wire: Wire
  readonly mask: Mask
  readonly partner: Access | undefined
  readonly other: Access | undefined
  /** Told of each sign-in, as of any other exchange. */
  readonly observe: (exchange: Exchange) => void
}

/** Milliseconds before its end at which a token is no longer used. */
const MARGIN = 30_000

type Token = { readonly header: string; readonly until: number }

export function createIdentities({
  contract,
  wire,
  mask,
  partner,
  other,
  observe,
}: IdentitiesOptions): Identities {
  const tokens = new Map<Identity, Promise<Token>>()
  const refreshTokens: string[] = []
  const { signIn } = contract
  // What means no operation goes with the key of the others.
  const keyed = contract.operations.find(({ key }) => key !== undefined)
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
    const reply = await wire.send(call)
    const body = parsed(reply)
    learn(body)
    observe({ view: signIn, input: {}, call, reply, body })
    return tokenOf(body) ?? refusedSignIn(who, reply)
  }

  async function current(who: Identity): Promise<string> {
    const known = await (tokens.get(who) ?? renew(who))
    return known.until > Date.now() || who === 'customer' ? known.header : (await renew(who)).header
  }

  function renew(who: Identity): Promise<Token> {
    const made = token(who)
    tokens.set(who, made)
    return made
  }

  async function headerOf(who: Who, view: OperationView | undefined): Promise<string | undefined> {
    if (who === null) return undefined
    if (typeof who === 'object') return who.authorization
    const access = accessOf(who) ?? partner
    if (view?.scheme === 'basic') return basicOf(credentialsIn(access), mask)
    if (view?.scheme === 'bearer') return current(who)
    // What means no operation goes with the token all the same, where there is one to be had.
    return view === undefined && access && (signIn || 'token' in access) ? current(who) : undefined
  }

  function keyOf(who: Who): string | undefined {
    if (who === null) return undefined
    if (typeof who === 'object') return who.authorization
    return tokenIn(accessOf(who) ?? partner, mask)
  }

  return {
    headerOf,
    async proofOf(who, view) {
      const { key } = view ?? keyed ?? {}
      if (key) return placed(key, keyOf(who))
      const authorization = await headerOf(who, view)
      return { headers: authorization === undefined ? {} : { authorization }, query: {} }
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
  throw new CannotRun('an operation asks for a key and a secret, and none were given')
}

function tokenIn(access: Access | undefined, mask: Mask): string {
  if (!access || !('token' in access))
    throw new CannotRun('an operation asks for a key of its own, and none was given')
  mask.add(access.token, '$TOKEN')
  mask.add(encodeURIComponent(access.token), '$TOKEN')
  return access.token
}

/** A key in its place: a header, a cookie, or else the query. */
function placed({ in: place, name }: KeyPlace, value: string | undefined): Proof {
  if (value === undefined) return { headers: {}, query: {} }
  if (place === 'header') return { headers: { [name.toLowerCase()]: value }, query: {} }
  if (place === 'cookie') return { headers: { cookie: `${name}=${value}` }, query: {} }
  return { headers: {}, query: { [name]: value } }
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
  const seconds = typeof expiration === 'number' && expiration > 0 ? expiration : 300
  return { header: `Bearer ${access_token}`, until: Date.now() + seconds * 1000 - MARGIN }
}

function refusedSignIn(who: Identity, { status, text }: Reply): never {
  if (status === 0) throw new CannotRun(`the service cannot be reached: ${text}`)
  if (status < 300)
    throw new NoToken(`signing in as "${who}" was answered ${status}, and no access_token came`)
  const hint = status === 401 ? 'are the client key and the secret right?' : 'expected a token'
  throw new CannotRun(`signing in as "${who}" was answered ${status}: ${hint}`)
}

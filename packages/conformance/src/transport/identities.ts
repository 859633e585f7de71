import type { Contract } from '../model/contract.ts'
import { nodeOf } from '../model/document.ts'
import type { OperationView } from '../model/operation-view.ts'
import { CannotRun, refusedSignIn } from './cannot-run.ts'
import {
  type Access,
  basicOf,
  credentialsIn,
  NAMES,
  type Proof,
  placed,
  type Token,
  tokenGiven,
  tokenIn,
  tokenOf,
} from './credentials.ts'
import { type Exchange, type Identity, parsed, pathOf, type Who } from './exchange.ts'
import type { Mask } from './mask.ts'
import type { Guard } from './safety.ts'
import type { Reply, Wire } from './transport.ts'

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
  /** Signs in anew where the token that was refused is still the one in use; undefined where it never was of a sign-in. */
  renewed(who: Who, refused: string | undefined): Promise<string | undefined>
  readonly has: (who: Identity) => boolean
  /** Tokens that answers gave, to be tried where they do not belong. */
  readonly refreshTokens: readonly string[]
}

interface IdentitiesOptions {
  readonly contract: Contract
  readonly wire: Wire
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
  wire,
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
  const used = new Map<Identity, Set<string>>()
  const { signIn } = contract
  // What means no operation goes with the key of the others.
  const keyed = contract.operations.find(({ key }) => key !== undefined)
  const accessOf = (who: Identity) => (who === 'other' ? other : partner)

  function learn(body: unknown): void {
    const { access_token, refresh_token, secret } = nodeOf(body)
    if (typeof access_token === 'string' && !mask.has(access_token)) mask.add(access_token, '$TOKEN')
    if (typeof secret === 'string') mask.add(secret, '$SECRET')
    if (typeof refresh_token !== 'string') return
    mask.add(refresh_token, '$REFRESH_TOKEN')
    if (refreshTokens.length < 10) refreshTokens.push(refresh_token)
  }

  async function token(who: Identity): Promise<Token> {
    const access = accessOf(who)
    if (access && 'token' in access) return tokenGiven(access.token)
    const credentials = credentialsIn(access)
    if (!signIn) throw new CannotRun('the contract has no operation that signs in: a token is needed')
    const authorization = basicOf(credentials)
    const call = {
      method: signIn.method,
      path: pathOf(signIn, {}),
      headers: { authorization },
      body: undefined,
    }
    // Once a run has ended, it is for what removes what the run made.
    if (!signal?.aborted) guard(signIn, call)
    const reply = await twice(() => wire.send(call, signal?.aborted ? undefined : signal))
    const url = new URL(base.href.replace(/\/$/, '') + call.path)
    const body = parsed(reply)
    learn(body)
    const made = tokenOf(body)
    if (made) mask.add(made.token, NAMES[who].token)
    observe({ view: signIn, input: {}, call, reply, body })
    return made ?? refusedSignIn(who, { url, reply })
  }

  async function current(who: Identity): Promise<string> {
    const { token, header } = await valid(who)
    // As long as it is in use, it is among those that were named last.
    mask.add(token, NAMES[who].token)
    return header
  }

  async function valid(who: Identity): Promise<Token> {
    const held = tokens.get(who) ?? renew(who)
    const known = await held
    if (known.until > Date.now() || who === 'customer') return known
    // Whoever comes first renews it for all.
    const newer = tokens.get(who)
    return newer && newer !== held ? newer : renew(who)
  }

  function renew(who: Identity): Promise<Token> {
    const made = token(who)
    tokens.set(who, made)
    made.then(
      ({ header }) => used.set(who, (used.get(who) ?? new Set()).add(header)),
      // What failed once may work when a token is needed next.
      () => tokens.get(who) === made && tokens.delete(who),
    )
    return made
  }

  async function headerOf(who: Who, view: OperationView | undefined): Promise<string | undefined> {
    if (who === null) return undefined
    if (typeof who === 'object') return who.authorization
    const access = accessOf(who) ?? partner
    if (view?.scheme === 'basic') return basicOf(credentialsIn(access))
    if (view?.scheme === 'bearer') return current(who)
    // What means no operation goes with the token all the same, where there is one to be had.
    return view === undefined && access && (signIn || 'token' in access) ? current(who) : undefined
  }

  function keyOf(who: Who): string | undefined {
    if (who === null) return undefined
    if (typeof who === 'object') return who.authorization
    return tokenIn(accessOf(who) ?? partner)
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
      if (!made) return
      mask.add(made.token, NAMES.customer.token)
      tokens.set('customer', Promise.resolve(made))
    },
    forget() {
      tokens.delete('partner')
      tokens.delete('other')
    },
    async renewed(who, refused) {
      const known = who === 'partner' || who === 'other' ? await tokens.get(who) : undefined
      if (!known || typeof who !== 'string' || !signIn || known.until === Number.POSITIVE_INFINITY)
        return undefined
      if (!used.get(who)?.has(refused ?? '')) return undefined
      return known.header === refused ? (await renew(who)).header : known.header
    },
    has: (who) => (who === 'customer' ? tokens.has('customer') : accessOf(who) !== undefined),
    refreshTokens,
  }
}

/** Once more where the service failed: without a token nothing goes on. */
async function twice(ask: () => Promise<Reply>): Promise<Reply> {
  const reply = await ask()
  return reply.status >= 500 ? ask() : reply
}

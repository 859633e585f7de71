import type { TokenKind } from '@partner-payments/contract'
import type { Lifetime } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, type Identity, nameOf, type Token } from './exchange.ts'

/** Tokens that are remembered. */
const MOST = 10_000

/** Responses with tokens whose text is remembered. */
const MAX_TEXTS = 100

/** A response that issues tokens. */
interface Issuing {
  readonly text: string
  /** Where it shows the access token by the contract; undefined if nothing is there. */
  readonly place: string | undefined
}

/** The tokens that the history has shown. */
export class Tokens {
  readonly #known = new Bounded<string, Token>(MOST)
  readonly #latest = new Bounded<string, Token>(MOST)
  /** The operations that accepted a token. */
  readonly #acceptedBy = new WeakMap<Token, Set<string>>()
  /** When a token was last accepted, by the clock of the service. */
  readonly #accepted = new WeakMap<Token, number>()
  /** The responses that issue tokens, by when they were sent. */
  readonly #issuing = new Bounded<number, Issuing>(MAX_TEXTS)

  get forgotten(): number {
    return this.#known.forgotten
  }

  /** The token of an authorization header, whatever its scheme. */
  of(authorization = ''): Token | undefined {
    const credential = authorization.split(' ').at(-1) ?? ''
    return this.#known.get(credential)
  }

  /**
   * Whether a response that issues tokens has shown a credential in any form, such as under another
   * name. Then nobody made it up, although it is not known whose it is.
   */
  wasShown(authorization: string): boolean {
    return this.#issuingOf(authorization) !== undefined
  }

  /**
   * The place at which a response shows its access token by the contract, although it shows this
   * credential elsewhere; undefined if it shows no token there.
   */
  otherPlaceOf(authorization: string): string | undefined {
    const isKnown = this.of(authorization) !== undefined
    return isKnown ? undefined : this.#issuingOf(authorization)?.place
  }

  #issuingOf(authorization: string): Issuing | undefined {
    const credential = JSON.stringify(authorization.split(' ').at(-1))
    for (const issuing of this.#issuing.values())
      if (issuing.text.includes(credential)) return issuing
    return undefined
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
    const signIn = this.#latest.get(nameOf({ partner: token.identity.partner }))
    const isBefore = signIn !== undefined && signIn.issuedAt > token.issuedAt
    return this.isLatest(token) && !isBefore
  }

  /** Whether a request with a token was accepted. */
  wasAccepted(token: Token): boolean {
    return this.#accepted.has(token)
  }

  /** Whether an operation has accepted a token before. */
  wasAcceptedBy(token: Token, { operation }: Pick<Exchange, 'operation'>): boolean {
    return operation !== undefined && this.#acceptedBy.get(token)?.has(operation.id) === true
  }

  /** When a request with a token was last accepted; undefined if none was. */
  lastAccepted(token: Token): number | undefined {
    return this.#accepted.get(token)
  }

  #noteAccepted(token: Token, { operation, trace }: Exchange): void {
    this.#accepted.set(token, trace.time)
    const operations = this.#acceptedBy.get(token) ?? new Set()
    this.#acceptedBy.set(token, operations.add(operation?.id ?? ''))
  }

  fold(exchange: Exchange): void {
    const { outcome, operation, shown, trace } = exchange
    if (outcome !== 'accepted') return
    if (exchange.token) this.#noteAccepted(exchange.token, exchange)
    const issued = lifetimeOf(operation?.id)
    const accessToken = issued && stringAt(shown, issued.pointer)
    if (ISSUING.has(operation?.id ?? ''))
      this.#issuing.set(exchange.sentAt, {
        text: exchange.response?.text ?? '',
        place: accessToken ? issued.pointer : undefined,
      })

    const identity = identityOf(exchange)
    if (!identity) return

    const lifetimeMs = issued && !exchange.unknown.times ? issued.shownMs(shown) : undefined
    const token: Token = {
      identity,
      kind: 'access',
      issuedBy: operation?.id ?? '',
      issuedAt: trace.time,
      expiration: lifetimeMs === undefined ? undefined : issued?.shownNumber(shown),
      until: trace.time + (lifetimeMs ?? Number.POSITIVE_INFINITY),
    }
    this.#latest.set(nameOf(identity), token)

    if (accessToken) this.#known.set(accessToken, token)

    const refreshToken = stringAt(shown, '/refresh_token')
    const isNew = refreshToken && !this.#known.has(refreshToken)
    if (isNew) this.#known.set(refreshToken, { ...token, kind: 'refresh' })
  }
}

/** The operations whose responses have tokens. */
const ISSUING: ReadonlySet<string> = new Set(['signIn', 'impersonate'])

/** Milliseconds of each unit. */
const UNIT_MS = { seconds: 1_000, milliseconds: 1 } as const

/** The access token that an operation issues; undefined if it issues none. */
function lifetimeOf(operation: string | undefined) {
  for (const { of: places, expires } of Object.values<Lifetime>(behaviour.lifetimes))
    for (const place of places) {
      const [issuedBy, pointer = ''] = place.split('#')
      if (issuedBy !== operation) continue
      return {
        pointer,
        /** How long it works, in milliseconds; undefined if the response does not show it. */
        shownMs(shown: unknown): number | undefined {
          const lifetime = this.shownNumber(shown)
          return lifetime === undefined ? undefined : lifetime * UNIT_MS[expires.unit]
        },
        /** The number that the response shows. */
        shownNumber(shown: unknown): number | undefined {
          const lifetime = valueAt(shown, expires.field)
          return typeof lifetime === 'number' ? lifetime : undefined
        },
      }
    }
  return undefined
}

/** Whom the tokens of a response stand for. */
function identityOf({ operation, request, by, sent }: Exchange): Identity | undefined {
  if (operation?.id === 'signIn') {
    const partner = keyIn(request.headers.authorization)
    return partner === undefined ? undefined : { partner }
  }

  const customer = stringAt(sent, '/customer_id')
  if (operation?.id !== 'impersonate' || !by || !customer) return undefined
  return { partner: by.partner, customer }
}

/** The client key in a header with Basic credentials. */
function keyIn(authorization = ''): string | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined

  const credentials = Buffer.from(encoded, 'base64').toString()
  return credentials.split(':', 1)[0]
}

/** The kind of the tokens that an identity has. */
export function tokenKindOf(identity: Identity | undefined): TokenKind {
  return identity?.customer === undefined ? 'partner' : 'customer'
}

/** The scheme of an authorization header, in lower case. */
export function schemeOf(authorization = ''): string {
  const end = authorization.indexOf(' ')
  return end === -1 ? '' : authorization.slice(0, end).toLowerCase()
}

import { fieldsOf, stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'
import { type Identity, nameOf, type Token } from './identity.ts'

/** The tokens that the history has shown. */
export interface Tokens {
  /** The token of an authorization header, whatever its scheme. */
  of(authorization: string | undefined): Token | undefined
  /** Whether a token is the last one that was issued for its identity. */
  isLatest(token: Token): boolean
  /** Whether a request with a token was accepted. */
  wasAccepted(token: Token): boolean
  fold(exchange: Exchange, now: number): void
  readonly forgotten: number
}

/** Tokens that are remembered. */
const MOST = 10_000

export function createTokens(): Tokens {
  const known = new Bounded<string, Token>(MOST)
  const latest = new Bounded<string, Token>(MOST)
  const accepted = new WeakSet<Token>()
  const of = (authorization: string | undefined) => known.get(bare(authorization))
  return {
    of,
    isLatest: (token) => latest.get(nameOf(token.identity)) === token,
    wasAccepted: (token) => accepted.has(token),
    get forgotten() {
      return known.forgotten
    },
    fold(exchange, now) {
      if (exchange.outcome !== 'accepted') return
      if (exchange.token) accepted.add(exchange.token)
      const identity = identityOf(exchange)
      if (!identity) return
      const { expiration } = fieldsOf(exchange.shown)
      const until = typeof expiration === 'number' ? now + expiration * 1000 : Number.POSITIVE_INFINITY
      const issued = { identity, issuedBy: exchange.operation?.id ?? '', issuedAt: now, until }
      const [access, refresh] = ['/access_token', '/refresh_token'].map((it) => stringAt(exchange.shown, it))
      const token: Token = { ...issued, kind: 'access' }
      if (access) known.set(access, token)
      latest.set(nameOf(identity), token)
      if (refresh && !known.has(refresh)) known.set(refresh, { ...issued, kind: 'refresh' })
    },
  }
}

/** Whom the tokens of a response stand for. */
function identityOf({ operation, request, by, sent }: Exchange): Identity | undefined {
  if (operation?.id === 'signIn') {
    const key = basicKey(request.headers.authorization)
    return key === undefined ? undefined : { partner: key }
  }
  const customer = stringAt(sent, '/customer_id')
  return operation?.id === 'impersonate' && by && customer ? { partner: by.partner, customer } : undefined
}

/** The client key of HTTP Basic credentials. */
function basicKey(authorization = ''): string | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization) ?? []
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString().split(':', 1)[0]
}

function bare(authorization = ''): string {
  return authorization.split(' ').at(-1) ?? ''
}

export function schemeOf(authorization = ''): string {
  return authorization.includes(' ') ? (authorization.split(' ', 1)[0] ?? '').toLowerCase() : ''
}

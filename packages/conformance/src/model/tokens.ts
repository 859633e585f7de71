import { fieldsOf, stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, type Identity, nameOf, type Token } from './exchange.ts'

/** Tokens that are remembered. */
const MOST = 10_000

/** The tokens that the history has shown. */
export class Tokens {
  readonly #known = new Bounded<string, Token>(MOST)
  readonly #latest = new Bounded<string, Token>(MOST)
  readonly #accepted = new WeakSet<Token>()

  get forgotten(): number {
    return this.#known.forgotten
  }

  /** The token of an authorization header, whatever its scheme. */
  of(authorization = ''): Token | undefined {
    return this.#known.get(authorization.split(' ').at(-1) ?? '')
  }

  /** Whether a token is the last one that was issued for its identity. */
  isLatest(token: Token): boolean {
    return this.#latest.get(nameOf(token.identity)) === token
  }

  /** Whether a request with a token was accepted. */
  wasAccepted(token: Token): boolean {
    return this.#accepted.has(token)
  }

  fold(exchange: Exchange): void {
    const { outcome, operation, shown, trace } = exchange
    if (outcome !== 'accepted') return
    if (exchange.token) this.#accepted.add(exchange.token)
    const identity = identityOf(exchange)
    if (!identity) return
    const { expiration } = fieldsOf(shown)
    const until =
      typeof expiration === 'number' ? trace.time + expiration * 1000 : Number.POSITIVE_INFINITY
    const issued = { identity, issuedBy: operation?.id ?? '', issuedAt: trace.time, until }
    const [access, refresh] = ['/access_token', '/refresh_token'].map((it) => stringAt(shown, it))
    const token: Token = { ...issued, kind: 'access' }
    if (access) this.#known.set(access, token)
    this.#latest.set(nameOf(identity), token)
    if (refresh && !this.#known.has(refresh))
      this.#known.set(refresh, { ...issued, kind: 'refresh' })
  }
}

/** Whom the tokens of a response stand for. */
function identityOf({ operation, request, by, sent }: Exchange): Identity | undefined {
  if (operation?.id === 'signIn') {
    const [, encoded] = /^basic +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const [partner] = Buffer.from(encoded ?? '', 'base64')
      .toString()
      .split(':', 1)
    return encoded === undefined || partner === undefined ? undefined : { partner }
  }
  const customer = stringAt(sent, '/customer_id')
  return operation?.id === 'impersonate' && by && customer
    ? { partner: by.partner, customer }
    : undefined
}

/** The scheme of an authorization header, in lower case. */
export function schemeOf(authorization = ''): string {
  return authorization.includes(' ') ? (authorization.split(' ', 1)[0] ?? '').toLowerCase() : ''
}

import { stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, nameOf } from './exchange.ts'
import { schemeOf } from './tokens.ts'

type Asked = Pick<Exchange, 'operation' | 'by' | 'sent'>

/** Who and what the service has accepted. Only then a refusal says something. */
export class Acceptances {
  readonly #callers = new Bounded<string, true>(1_000)
  readonly #requests = new Bounded<string, true>(1_000)

  /**
   * Whether a request of the same caller was accepted, in the declared scheme. Of a caller that is
   * not known, those of anybody count.
   */
  hasAcceptedCaller(exchange: Asked): boolean {
    return this.#callers.has(callerOf(exchange))
  }

  /**
   * Whether the request that this one was edited from was accepted, or one of the same operation,
   * whoever sent it; any request, if the contract has no such operation.
   */
  hasAcceptedLike(exchange: Asked & Pick<Exchange, 'isVariant'>): boolean {
    if (exchange.isVariant) return true
    if (!exchange.operation) return this.hasAcceptedCaller(exchange)
    return this.#requests.has(requestOf(exchange))
  }

  fold(exchange: Exchange): void {
    const { operation, outcome } = exchange
    if (outcome !== 'accepted' || !operation) return

    this.#requests.set(requestOf(exchange), true)
    if (!hasDeclaredScheme(exchange)) return

    this.#callers.set(callerOf(exchange), true)
    if (operation.scheme === 'bearer') this.#callers.set(ANYBODY, true)
  }
}

const ANYBODY = 'anybody'

/**
 * Whether the credentials have the declared scheme. A token that is accepted in another one says
 * nothing of those that are refused in this one. Browsers do not record credentials.
 */
function hasDeclaredScheme({ request: { headers }, operation }: Exchange): boolean {
  const { authorization } = headers
  return authorization === undefined || schemeOf(authorization) === operation?.scheme
}

/** Whoever signs in has no token yet. */
function callerOf({ operation, by }: Asked): string {
  if (operation?.scheme === 'basic') return 'sign-in'
  return by ? nameOf(by) : ANYBODY
}

/** A transfer from a code is another request than one to a key. */
function requestOf({ operation, sent }: Asked): string {
  const kind = operation?.id === 'createTransfer' ? stringAt(sent, '/type') : ''
  return `${operation?.id} ${kind}`
}

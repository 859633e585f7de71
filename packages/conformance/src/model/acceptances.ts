import { stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, nameOf } from './exchange.ts'
import { schemeOf } from './tokens.ts'

/** What says who sends a request, and which one. */
type RequestParts = Pick<Exchange, 'operation' | 'identity' | 'requestBody'>

/**
 * Which identities and which requests the service has accepted. If it accepted none of a kind, its
 * refusals of that kind say nothing.
 */
export class Acceptances {
  readonly #identities = new Bounded<string, true>(1_000)
  readonly #requests = new Bounded<string, true>(1_000)

  /**
   * Whether a request of the same identity was accepted, in the declared scheme. Where the identity
   * is not known, any accepted token counts.
   */
  hasAcceptedIdentity(request: RequestParts): boolean {
    return this.#identities.has(identityKey(request))
  }

  /**
   * Whether the request that this one was edited from was accepted, or one of the same operation,
   * whoever sent it; any request, if the contract has no such operation.
   */
  hasAcceptedSimilar(request: RequestParts & Pick<Exchange, 'isVariant'>): boolean {
    if (request.isVariant) return true
    if (!request.operation) return this.hasAcceptedIdentity(request)
    return this.#requests.has(requestKey(request))
  }

  /** Takes in the next exchange: remembers the identity and the operation of an accepted request. */
  fold(exchange: Exchange): void {
    const { operation, outcome } = exchange
    if (outcome !== 'accepted' || !operation) return

    this.#requests.set(requestKey(exchange), true)
    // Accepted without its declared scheme, such as `Bearer`, a request does not show that the token works.
    if (!hasDeclaredScheme(exchange)) return

    this.#identities.set(identityKey(exchange), true)
    // Any accepted token counts for a request whose identity is not known.
    if (operation.scheme === 'bearer') this.#identities.set(ANY_IDENTITY, true)
  }
}

/** Some identity whose token was accepted. */
const ANY_IDENTITY = 'any'

/**
 * Whether the credentials have the declared scheme. A token that is accepted in another one says
 * nothing of those that are refused in this one. Browsers do not record credentials.
 */
function hasDeclaredScheme({ authorization, operation }: Exchange): boolean {
  return authorization === undefined || schemeOf(authorization) === operation?.scheme
}

/** A sign-in has no token yet. */
function identityKey({ operation, identity }: RequestParts): string {
  if (operation?.scheme === 'basic') return 'sign-in'
  return identity ? nameOf(identity) : ANY_IDENTITY
}

/** A transfer from a code is another request than one to a key. */
function requestKey({ operation, requestBody }: RequestParts): string {
  const kind = operation?.id === 'createTransfer' ? stringAt(requestBody, '/type') : ''
  return `${operation?.id} ${kind}`
}

import type { Exchange, Token } from '../model/exchange.ts'
import { tokenKindOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'

/** Milliseconds by which the end of a token may differ: clocks do, and a service may write it in whole seconds. */
export const TOKEN_MARGIN_MS = 5_000

/** Whether a request has an access token that certainly has not expired, so that the service must accept it. */
export function hasCurrentToken(exchange: Exchange, model: Model): boolean {
  const { token } = exchange
  return token?.kind === 'access' && !mayHaveExpired(token, exchange, model)
}

/**
 * Whether a token may have expired when the service looked at it. A slow service may look only just before it responds.
 * False if its lifetime is not known.
 */
export function mayHaveExpired(
  { certainUntil }: Token,
  { completeAt }: Exchange,
  model: Model,
): boolean {
  return model.timeAt(completeAt) > certainUntil - TOKEN_MARGIN_MS
}

/** Whether an operation takes the kind of token that a request has; true if that is not known. */
export function isTokenKindAllowed({ operation, identity }: Exchange): boolean {
  if (!operation || !identity) return true
  return operation.tokens.includes(tokenKindOf(identity))
}

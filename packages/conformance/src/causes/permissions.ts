import type { Exchange } from '../model/exchange.ts'
import { tokenKindOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'

/**
 * Whether a request has an access token that had not expired when the response came, so that the service must accept
 * it, however late it looked at the token.
 */
export function hasCurrentToken({ token, completeAt }: Exchange, model: Model): boolean {
  return token?.kind === 'access' && model.timeAt(completeAt) < token.until
}

/** Whether an operation takes the kind of token that a request has; true if that is not known. */
export function isTokenKindAllowed({ operation, identity }: Exchange): boolean {
  if (!operation || !identity) return true
  return operation.tokens.includes(tokenKindOf(identity))
}

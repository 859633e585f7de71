import type { Exchange } from '../model/exchange.ts'
import { tokenKindOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'

/** Whether a token is one that the service must accept. */
export function hasCurrentToken({ token, sentAt }: Exchange, model: Model): boolean {
  return token?.kind === 'access' && model.timeAt(sentAt) < token.until
}

/** Whether an operation takes tokens of the kind that a request has, or that is not known. */
export function canCall({ operation, by }: Exchange): boolean {
  if (!operation || !by) return true
  return operation.tokens.includes(tokenKindOf(by))
}

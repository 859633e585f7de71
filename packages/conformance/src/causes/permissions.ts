import type { Exchange, Token } from '../model/exchange.ts'
import { TOKEN_MARGIN_MS, tokenKindOf } from '../model/tokens.ts'
import { hasCertainTime } from '../model/unknown.ts'
import type { Model } from '../model.ts'

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

/**
 * Whether the age of a token may explain its refusal. The unit of `expiration` is an open question: a token with 20000
 * may end after 20 seconds. False as soon as any token of the service has worked for longer than its milliseconds.
 */
export function mayHaveEndedByAge(token: Token, exchange: Exchange, model: Model): boolean {
  if (mayHaveExpired(token, exchange, model)) return true
  return !model.tokens.hasOutlivedMilliseconds && mayHaveExpiredInAnyUnit(token, exchange, model)
}

/**
 * Whether a token may have expired before the service looked at it, in whatever unit its `expiration` is. A slow service
 * may have looked only just before it responded.
 */
export function mayHaveExpiredInAnyUnit(token: Token, exchange: Exchange, model: Model): boolean {
  const now = model.timeAt(exchange.completeAt)
  // If the clock of the service, or that of a recorder, was set back, nobody knows the age.
  const isAgeKnown = now >= token.issuedAt && hasCertainTime(exchange)
  return !isAgeKnown || now >= readEarliestEnd(token)
}

/** Numbers from which an expiration is a time: in seconds, and in milliseconds since 1970. */
const EPOCH_SECONDS = 1_000_000_000
const EPOCH_MS = 1_000_000_000_000

/** Reads when a token ends at the earliest, whatever the unit of its expiration, by the clock of the service. */
function readEarliestEnd({ expiration = 0, requestedAt }: Token): number {
  if (expiration >= EPOCH_MS) return expiration
  if (expiration >= EPOCH_SECONDS) return expiration * 1000
  return requestedAt + expiration
}

/** Whether an operation takes the kind of token that a request has; true if that is not known. */
export function isTokenKindAllowed({ operation, identity }: Exchange): boolean {
  if (!operation || !identity) return true
  return operation.tokens.includes(tokenKindOf(identity))
}

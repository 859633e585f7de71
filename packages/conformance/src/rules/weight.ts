import type { Exchange } from '../model/exchange.ts'
import type { Unknown } from '../model/unknown.ts'
import type { Model } from '../model.ts'
import { ALL_BUT_REQUEST_HEADERS, type Rule } from './rule.ts'

/** What a rule reports of an exchange: passed and failed cases, failed cases alone, or nothing. */
export type Weight = 'cases' | 'failures' | 'nothing'

type Declared = Pick<Rule, 'needs' | 'judges' | 'readsGateways'>

/**
 * Decides what a rule reports of an exchange, which is a request and its response: what passed and what failed
 * (`cases`), only what failed (`failures`), or `nothing`. The fields `needs` and `judges` of the rule decide that.
 *
 * A refusal proves little of a service that refuses everything, as with credentials of another
 * service, or behind a gateway that responds in its place. So most rules report nothing of it.
 */
export function weighExchange(rule: Declared, exchange: Exchange, model: Model): Weight {
  if (!canRead(rule, exchange)) return 'nothing'
  if (exchange.outcome === 'accepted') return 'cases'
  if (rule.judges !== 'every-response' && isForGuessedId(exchange, model)) return 'nothing'

  switch (rule.judges) {
    case 'every-response':
      return 'cases'
    case 'refusals':
      return weighForRefusals(exchange, model)
    default:
      return weighForRequests(exchange, model)
  }
}

/**
 * Whether a request names a record by an id whose place in responses was guessed. Before one of those ids is accepted,
 * a refusal may only mean that the id is another value.
 */
function isForGuessedId({ operation, parameters }: Exchange, { form }: Model): boolean {
  const namesRecord = Object.keys(parameters).length > 0
  const resource = operation?.resource
  return namesRecord && resource !== undefined && form.isIdGuessed(resource)
}

/**
 * Whether a rule can read an exchange: the service itself responded, and the history shows all parts of
 * the exchange that the rule needs, such as its headers.
 */
function canRead(
  { needs, readsGateways = false }: Declared,
  { unknown, responder }: Pick<Exchange, 'unknown' | 'responder'>,
): boolean {
  if (responder === 'gateway') return readsGateways
  // Either the service or a gateway in front of it.
  if (responder === 'unknown') return false

  const parts = needs ?? ALL_PARTS
  return parts.every((part) => isPartKnown(unknown[part]))
}

const ALL_PARTS: readonly (keyof Unknown)[] = [...ALL_BUT_REQUEST_HEADERS, 'requestHeaders']

/** An unknown part is `true`, or a list of pointers to its unknown values. */
function isPartKnown(part: Unknown[keyof Unknown]): boolean {
  return typeof part === 'boolean' ? !part : part.length === 0
}

/**
 * Decides what a rule about refusals reports of a request that was not accepted: `cases`, but `nothing` of a refusal or a
 * failure before any request of the same caller was accepted, since its credentials may be wrong.
 */
function weighForRefusals(exchange: Exchange, { acceptances }: Model): Weight {
  // By a status such as 401, 429 or 500, which says nothing of the request itself.
  const isForCaller = isRefusedForCaller(exchange)
  const isRefusal = isForCaller || exchange.outcome === 'refused'
  if (!isRefusal) return 'cases'

  // Whether a service has the shorter paths is an open question, and a gateway may forbid them.
  const isShortPath = exchange.operation?.isAlias === true
  if (isForCaller && isShortPath) return 'nothing'
  return acceptances.hasAcceptedIdentity(exchange) ? 'cases' : 'nothing'
}

/**
 * Decides what a rule about requests reports of a refused one: `cases` if a similar request was accepted
 * before, and else `failures` alone. A refusal of the caller, such as 401, says nothing of the request.
 */
function weighForRequests(exchange: Exchange, { acceptances }: Model): Weight {
  if (isRefusedForCaller(exchange)) return 'nothing'
  if (exchange.outcome !== 'refused') return 'cases'
  return acceptances.hasAcceptedSimilar(exchange) ? 'cases' : 'failures'
}

/** Statuses that say who may not send a request, or when, and nothing of the request itself. */
const CALLER_STATUSES: readonly number[] = [401, 403, 429]

/** Whether a response says who may not send a request, or when; a failure of the service counts too. */
function isRefusedForCaller({ status }: Exchange): boolean {
  return CALLER_STATUSES.includes(status) || status >= 500
}

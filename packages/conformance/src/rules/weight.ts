import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import { isKnownTo } from './known.ts'
import type { Rule } from './rule.ts'

/** What an exchange is to a rule: cases, failed cases alone, or nothing. */
export type Weight = 'cases' | 'failures' | 'nothing'

/** Rules about what no response may do, whoever sent the request. */
const OF_EVERY_RESPONSE: ReadonlySet<string> = new Set([
  'responses-errors',
  'responses-received',
  'responses-in-time',
  'secrets-hidden',
  'secrets-no-stack',
  'requests-valid',
])

/** Rules about credentials, rights, and the form of all refusals. */
const OF_REFUSALS: ReadonlySet<string> = new Set([
  'access-credentials',
  'access-tokens',
  'access-kinds',
  'access-consistent',
  'access-records',
  'responses-status',
  'responses-media-type',
  'responses-headers',
  'responses-shape',
  'responses-known',
  'responses-json',
  'refusals-declared',
  'http-head',
  'http-ids',
  'http-methods',
  'http-notations',
  'http-challenge',
  'http-request-ids',
  'http-problems',
])

/**
 * A refusal says nothing of a service that refuses whatever it gets: as with credentials of another
 * service, or behind a gateway that responds in its place.
 */
export function weightOf(rule: Rule, exchange: Exchange, model: Model): Weight {
  if (!isKnownTo(rule, exchange)) return 'nothing'

  const isOfAnyResponse = OF_EVERY_RESPONSE.has(rule.id) || exchange.outcome === 'accepted'
  if (isOfAnyResponse) return 'cases'

  const { acceptances } = model
  const isOfCaller = isRefusedForCaller(exchange)
  // Whether the shorter paths are there is a question of its own, and a gateway may forbid others.
  const isOfShortPath = exchange.operation?.isAlias === true
  if (isOfShortPath && isOfCaller) return 'nothing'

  if (OF_REFUSALS.has(rule.id)) {
    const isRefusal = isOfCaller || exchange.outcome === 'refused'
    return !isRefusal || acceptances.hasAcceptedIdentity(exchange) ? 'cases' : 'nothing'
  }

  if (isOfCaller) return 'nothing'
  if (exchange.outcome !== 'refused') return 'cases'
  return acceptances.hasAcceptedSimilar(exchange) ? 'cases' : 'failures'
}

/** Statuses that say who may not send a request, or when, and nothing of the request itself. */
const OF_CALLERS: readonly number[] = [401, 403, 429]

function isRefusedForCaller({ status }: Exchange): boolean {
  return OF_CALLERS.includes(status) || status >= 500
}

import type { Finding } from '@partner-payments/validator'
import { hasRepeatedField, stringAt } from '../contract/json.ts'
import { type Exchange, requestDifferences } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { cited, judge, type Rule } from './rule.ts'

export const refusalsInvalid: Rule = {
  id: 'refusals-invalid',
  says: 'A request that does not match the contract is refused.',
  advice: 'Validate the request by the contract before anything else.',
  read(exchange, model, report) {
    const { outcome, operation, request, intent } = exchange
    if (!operation || outcome === 'unknown' || request.method !== operation.method) return
    // Which of the two values counts is an assumption.
    if (request.body !== undefined && hasRepeatedField(request.body)) return
    if (model.wasAccepted(intent?.variantOf) === false) return
    const found = requestDifferences(exchange)
    const fact = found.find(({ question }) => question === undefined)
    const first = fact ?? found[0]
    if (!first) return
    const message = `${operation.id} accepted a request whose ${first.place}${first.pointer} is invalid: ${first.message}.`
    const about = `${first.contract} ${first.keyword}`
    judge(report, exchange, {
      cites: hasEmptyParameter(exchange, first) ? EMPTY_IS_ABSENT : placeOf(first, model),
      message: outcome === 'accepted' ? message : undefined,
      about,
    })
  },
}

export const refusalsDeclared: Rule = {
  id: 'refusals-declared',
  says: 'A refusal has a code that the contract declares, with the status of that code.',
  advice: 'Take code and status from the error catalogue.',
  read(exchange, model, report) {
    const code = stringAt(exchange.shown, '/code')
    if (exchange.outcome !== 'refused' || !exchange.operation || code === undefined) return
    const { refusals = {}, conventions = {} } = model.contract.behaviour
    const declared = refusals[code]
    const statuses = declared?.responses?.map(({ status }) => status) ?? []
    const words = declared ? `expected ${statuses.join(' or ')}` : 'which the contract does not declare'
    const message = `${exchange.operation.id} refused a request with the code ${code} and ${exchange.status}, ${words}.`
    const isRight = statuses.includes(exchange.status)
    judge(report, exchange, {
      cites: cited(conventions.refusals),
      message: isRight ? undefined : message,
      about: code,
    })
  },
}

/** Many services read a parameter without a value as absent. */
const EMPTY_IS_ABSENT = { standard: 'common practice: a parameter without a value counts as absent' }

function hasEmptyParameter({ query }: Exchange, { place, pointer }: Finding): boolean {
  return place === 'query' && query.get(pointer.slice(1)) === ''
}

/** A media type, a header or a repeated parameter is a matter of refusals alone, of which no fact says anything. */
function placeOf({ question, contract, place, keyword }: Finding, model: Model): Cites {
  const isRepeated = place === 'query' && keyword === 'type'
  if (place === 'media-type' || place === 'header' || isRepeated)
    return cited(model.contract.behaviour.conventions?.refusals)
  return question === undefined ? { pointer: contract } : { question }
}

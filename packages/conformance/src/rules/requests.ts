import { isForbidden } from '../causes/index.ts'
import { hasCurrentToken } from '../causes/permissions.ts'
import { behaviour } from '../contract/behaviour.ts'
import { type Operation, readBodySchema } from '../contract/contract.ts'
import { listItems, stringAt, valueAt } from '../contract/json.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { schemeOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { noteEnumValue, noteModalities } from './enum-values.ts'
import { httpBodies, httpNotations } from './request-bodies.ts'
import { citeEdit, citeRequestOrEdit, findQuestion, readEnumValue } from './request-cites.ts'
import { quote, type Rule, type RuleContext } from './rule.ts'

const { refusals } = behaviour

const requestsAccepted: Rule = {
  id: 'requests-accepted',
  says: 'A request that matches the contract is not refused as invalid.',
  advice: 'Accept the value, or narrow the schema of the contract.',
  settles: ['unknown-fields/'],
  /**
   * Expects that a valid request is not refused as invalid. If the checker has edited it from an accepted one, `intent`
   * names the edited field (`edit`), or several (`edits`).
   */
  read(exchange, model, report) {
    noteModalities(exchange, report)
    const { operation, intent, outcome } = exchange
    if (!operation || outcome === 'unknown') return
    if (!mustBeAccepted(exchange, operation, model)) return

    const isAccepted = outcome === 'accepted'
    if (intent?.edits) {
      // Only an acceptance proves something: a refusal does not say which of several edits it is about.
      if (isAccepted) reportAcceptedEdits(intent.edits, operation, { exchange, report })
      return
    }

    const cites = citeRequestOrEdit(exchange, operation)
    if (!isAccepted) {
      reportRefusal(operation, cites, { exchange, model, report })
      return
    }

    noteEnumValue(intent?.edit, exchange, report)
    report.passed(exchange, cites, readEnumValue(exchange, operation))
  },
}

/** Reports for each of several edits of a request that it was accepted. */
function reportAcceptedEdits(
  edits: readonly string[],
  operation: Operation,
  { exchange, report }: Omit<RuleContext, 'model'>,
): void {
  for (const edit of edits) report.passed(exchange, citeEdit(edit, operation, exchange))
}

/**
 * Whether a request matches the contract, so that a service must not refuse its form. False if there may be another
 * reason for a refusal: its path, its credentials, an unusual value, or an id that nobody has.
 */
function mustBeAccepted(exchange: Exchange, operation: Operation, model: Model): boolean {
  // A shorter path of the guide need not be there, nor the method HEAD in place of GET.
  if (operation.isAlias || exchange.request.method !== operation.method) return false
  // An edit of a request that was refused itself says nothing.
  if (!canBeJudged(exchange)) return false
  if (!hasValidCredentials(exchange, model)) return false
  if (!isValid(exchange) || isUnusual(exchange)) return false

  // An id that no response has shown may have another form than those of the service.
  const hasId = Object.keys(exchange.parameters).length > 0
  return !hasId || model.records.findNamed(exchange).length > 0
}

/** Whether a request was sent as it is, or was edited from one that was accepted, so that only the edit is new. */
function canBeJudged({ intent, isVariant }: Exchange): boolean {
  if (!intent) return true
  return isVariant && (intent.edit !== undefined || intent.edits !== undefined)
}

/**
 * Reports the refusal of a valid request: one that contradicts a fact, or else one that calls the request
 * invalid. A refusal for another reason, such as a state, is left to other rules.
 */
function reportRefusal(
  operation: Operation,
  cites: Cites,
  { exchange, model, report }: RuleContext,
): void {
  const brokenFact = findBrokenFact(exchange, operation)
  if (brokenFact) {
    const { cites: citesOfFact, message, about } = brokenFact
    report.failed(exchange, citesOfFact, message, { about })
    return
  }

  if (!isRefusedAsInvalid(exchange, model)) return
  noteEnumValue(exchange.intent?.edit, exchange, report)

  const editedField = exchange.intent?.edit ?? ''
  const question = 'question' in cites ? cites.question : ''
  const message = `${operation.id}${describeEdit(exchange)} was refused (${exchange.status}); the contract allows it.`
  report.failed(exchange, cites, message, { about: `${editedField} ${question}` })
}

/**
 * Describes the edit of a request for a message: ` with /amount as "0.01"`. Empty if the request was not edited, or was
 * edited as a whole.
 */
function describeEdit({ intent, requestBody }: Exchange): string {
  const edit = intent?.edit ?? ''
  return edit === '' ? '' : ` with ${edit} as ${quote(valueAt(requestBody, edit))}`
}

/** What a refusal contradicts that the source document states. */
interface BrokenFact {
  readonly cites: Cites
  readonly message: string
  /** Names it in the id of the finding. */
  readonly about: string
}

/**
 * Finds the fact that a refusal contradicts: that the contract has a method at a path (405), or that it
 * does not require a field which the refusal demands. Undefined if there is none.
 */
function findBrokenFact(exchange: Exchange, operation: Operation): BrokenFact | undefined {
  const { status, intent } = exchange
  const { pointer } = operation.declaration
  const refused = `${operation.id} was refused (${status})`
  if (status === 405 && intent === undefined)
    return {
      cites: { pointer },
      message: `${refused}; the contract has this method at this path.`,
      about: 'method',
    }

  const isOfFields = status === 400 || status === 422
  if (!isOfFields || intent?.edit !== undefined) return undefined

  const field = findDemandedField(exchange, operation)
  if (field === undefined) return undefined
  return {
    cites: { pointer: `${pointer}/requestBody` },
    message: `${refused} without ${field}; the contract does not require it.`,
    about: `without ${field}`,
  }
}

/**
 * Finds the pointer of a missing field that a refusal calls required, although no fact requires it and no
 * open question leaves that open.
 */
function findDemandedField(
  { requestBody, responseBody }: Exchange,
  operation: Operation,
): string | undefined {
  if (requestBody === undefined) return undefined

  const schema = readBodySchema(operation)
  for (const error of listItems(valueAt(responseBody, '/errors'))) {
    const pointer = stringAt(error, '/pointer')
    if (stringAt(error, '/code') !== 'required' || pointer === undefined) continue

    const isMissing = valueAt(requestBody, pointer) === undefined
    if (!isMissing) continue

    const question = findQuestion(operation, schema, { value: requestBody, pointer })
    if (question === undefined) return pointer
  }
  return undefined
}

/**
 * Whether a request has credentials that the service must accept: those of the run for Basic, or an access token that
 * has not expired. False of a customer that got a 404, since a service may hide from it what only the partner may
 * use.
 */
function hasValidCredentials(exchange: Exchange, model: Model): boolean {
  const { operation, identity, status, authorization = '' } = exchange
  if (operation?.scheme === 'basic') return model.credentials.includes(authorization)

  const isHiddenFromCustomer = identity?.customer !== undefined && status === 404
  if (isHiddenFromCustomer) return false

  const isBearer = schemeOf(authorization) === 'bearer'
  return isBearer && hasCurrentToken(exchange, model)
}

/** Values that a store or a parser may refuse although no schema excludes them. */
const UNUSUAL_VALUES = [
  // The character that ends a string in C, and that PostgreSQL does not store.
  /\\u0000/i,
  // Half of a surrogate pair, which UTF-8 cannot write.
  /\\ud[89a-f]/i,
  // A name that is not an ordinary one in JavaScript.
  /__proto__/i,
  // Arrays in arrays, at which a parser may stop.
  /\[{50}/,
  // A number outside the range of a double.
  /e400/i,
]

/**
 * Whether a request has a value that a service may refuse although the contract allows it: a cursor, which
 * no schema describes, or a value that a store or a parser may not take, such as an invalid escape.
 */
function isUnusual({ request: { body = '', path }, query }: Exchange): boolean {
  if (query.has('cursor')) return true

  const isPathAscii = /^[ -~]*$/.test(path)
  if (path.includes('%00') || !isPathAscii) return true

  return UNUSUAL_VALUES.some((value) => value.test(body))
}

const FORM_CODES = [
  'invalid_request',
  'malformed_body',
  'unsupported_media_type',
  'method_not_allowed',
]

/**
 * Whether a refusal says that the form of a request is wrong: by its status, by its code, such as `invalid_request`,
 * or because it looks like the refusals of invalid requests. False if it may be about something else.
 */
function isRefusedAsInvalid(exchange: Exchange, model: Model): boolean {
  const { status, intent } = exchange
  if (status === 406) return true
  // Of a request that was not edited, 405 contradicts a fact, which is reported apart.
  if (status === 405) return intent !== undefined

  if (!mayConcernForm(exchange)) return false

  // A declared code says itself what it is about.
  const code = stringAt(exchange.responseBody, '/code')
  const isDeclared = code !== undefined && refusals[code] !== undefined
  if (isDeclared) return FORM_CODES.includes(code)

  return isLikeRefusalOfInvalid(exchange, model)
}

/** Whether a refusal has a status for a wrong form: 400, 415 or 422, or the 404 of a path that does not exist. */
function mayConcernForm(exchange: Exchange): boolean {
  const { status } = exchange
  if (status === 404) return isRefusedAsMissing(exchange)
  return status === 400 || status === 415 || status === 422
}

/** Whether a refusal looks like those of invalid requests, and no rule of the business may explain it. */
function isLikeRefusalOfInvalid(exchange: Exchange, model: Model): boolean {
  if (mayBeRefusedByBusiness(exchange.intent?.edit)) return false
  if (isForbidden({ exchange, model })) return false
  return model.refusals.isOfInvalid(exchange)
}

/**
 * Whether a 404 can only mean that the path does not exist. For that, the request must name no record, and the
 * contract must declare no 404 with this code for its operation.
 */
function isRefusedAsMissing({ operation, parameters, intent, responseBody }: Exchange): boolean {
  const namesRecord = Object.keys(parameters).length > 0
  // Without an accepted request before, the whole base path may be wrong.
  if (!operation || intent === undefined || namesRecord) return false

  const code = stringAt(responseBody, '/code')
  const declared = code === undefined ? undefined : refusals[code]
  // A 404 without a declared code counts as one with `not_found`.
  const { responses = [] } = declared ?? refusals.not_found
  const isDeclared = responses.some(
    ({ status, operations }) => status === 404 && operations.includes(operation.id),
  )
  return !isDeclared
}

/** Parts of the names of fields whose values a rule of the business may refuse. */
const BUSINESS_NAMES = [
  'amount',
  'original',
  'date',
  'key',
  'emv',
  'initiation',
  'beneficiary',
  'url',
  'discount',
  'deduction',
]

/** Whether a rule of the business may refuse a value. A request that was not edited has such values. */
function mayBeRefusedByBusiness(edit: string | undefined): boolean {
  if (edit === undefined) return true
  return edit.endsWith('_id') || BUSINESS_NAMES.some((name) => edit.includes(name))
}

export const requestRules = [requestsAccepted, httpBodies, httpNotations]

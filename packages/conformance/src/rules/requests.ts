import { stepsOf } from '@partner-payments/validator'
import type { Operation } from '../contract/contract.ts'
import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import { mergedSchema, queryParameters } from '../generate/sites.ts'
import { type Exchange, isValid, requestDifferences } from '../model/exchange.ts'
import { schemeOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { cited, judge, quoted, type Rule } from './rule.ts'

export const requestsAccepted: Rule = {
  id: 'requests-accepted',
  says: 'A request that matches the contract is not refused as invalid.',
  advice: 'Accept the value, or narrow the schema of the contract.',
  settles: ['unknown-fields/'],
  read(exchange, model, report) {
    const { operation, intent, outcome, status, request } = exchange
    if (!operation || operation.isAlias || outcome === 'unknown' || request.method !== operation.method)
      return
    const isVariant = model.wasAccepted(intent?.variantOf) === true
    const isEdited = intent?.edit !== undefined && isVariant
    if (intent && !isEdited && !(intent.edits && isVariant)) return
    if (!isSignedIn(exchange, model) || !isValid(exchange) || isUnusual(exchange)) return
    if (hasUnknownId(exchange, model)) return
    if (intent?.edits && outcome === 'accepted')
      for (const it of intent.edits) report.passed(exchange, citesOfEdit(exchange, it, model))
    if (intent?.edits) return
    const cites = isEdited
      ? citesOfEdit(exchange, intent.edit || filterOf(exchange), model)
      : citesOfRequest(exchange, operation)
    if (outcome === 'accepted') return report.passed(exchange, cites)
    if (!isRefusedAsInvalid(exchange, model)) return
    const value = valueAt(exchange.sent, intent?.edit ?? '')
    const words = intent?.edit ? ` with ${intent.edit} as ${quoted(value)}` : ''
    const message = `${operation.id}${words} was refused (${status}); the contract allows it.`
    report.failed(exchange, cites, message, { about: `${intent?.edit ?? ''} ${keyOf(cites)}` })
  },
}

export const refusalsPlaced: Rule = {
  id: 'refusals-placed',
  says: 'The refusal of an invalid request names the invalid field.',
  advice: 'Send a JSON pointer to each invalid field in errors.',
  read(exchange, model, report) {
    const { intent, shown, outcome, operation } = exchange
    if (outcome !== 'refused' || stringAt(shown, '/code') !== 'invalid_request') return
    if (!intent?.edit || model.wasAccepted(intent.variantOf) !== true) return
    const places = requestDifferences(exchange).map(({ pointer }) => pointer)
    // No standard says which alternative a service takes for the meant one.
    const isTransfer = operation?.id === 'createTransfer'
    if (places.length === 0 || places.some((it) => it === '' || (isTransfer && CHOOSING.includes(it)))) return
    const errors = valueAt(shown, '/errors')
    const named = (Array.isArray(errors) ? errors : []).map((it) => stringAt(it, '/pointer') ?? '')
    const isRight = places.some((it) => named.some((name) => isAround(name, it)))
    const message = `The refusal names ${named.join(', ') || 'no place'}; expected ${places[0]}.`
    judge(report, exchange, {
      cites: cited(model.contract.behaviour.conventions?.refusals),
      message: isRight ? undefined : message,
      about: 'pointer',
    })
  },
}

/** Fields that say which kind of transfer is meant. */
const CHOOSING = ['/type', '/emv', '/initiation_id', '/dict_key']

/** Whether a pointer names a field, one above it but not the whole body, or one inside it; or a parameter of its name. */
function isAround(named: string, pointer: string): boolean {
  const isNear =
    named === pointer || named.startsWith(`${pointer}/`) || (named !== '' && pointer.startsWith(`${named}/`))
  return isNear || named.split(/[/.]/).at(-1) === pointer.slice(1)
}

/** Whether a request has credentials that the service must accept. */
function isSignedIn({ operation, request, token, sentAt, by, status }: Exchange, model: Model): boolean {
  const { authorization = '' } = request.headers
  if (operation?.scheme === 'basic') return model.credentials.includes(authorization)
  const isCurrent = token?.kind === 'access' && model.timeAt(sentAt) < token.until
  return isCurrent && schemeOf(authorization) === 'bearer' && !(by?.customer && status === 404)
}

/** An id that no response has shown may have another form than those of the service. */
function hasUnknownId(exchange: Exchange, { records }: Model): boolean {
  return Object.keys(exchange.parameters).length > 0 && records.named(exchange).length === 0
}

/** Values that a store or a parser may refuse, although no schema excludes them. */
function isUnusual({ request, query }: Exchange): boolean {
  const { body = '' } = request
  const isCursor = query.has('cursor')
  return (
    isCursor || /\\u0000|\\ud[89a-f]|__proto__|\[{50}|e400/i.test(body) || /%00|[^ -~]/.test(request.path)
  )
}

const FORM_CODES = ['invalid_request', 'malformed_body', 'unsupported_media_type', 'method_not_allowed']

/** Whether a refusal says that the request does not match the contract, and no declared rule or record explains it. */
function isRefusedAsInvalid(exchange: Exchange, model: Model): boolean {
  const { status, operation, parameters, intent } = exchange
  const code = stringAt(exchange.shown, '/code')
  const { refusals = {} } = model.contract.behaviour
  if (status === 406 || (status === 405 && intent !== undefined)) return true
  // Without an accepted request before, the whole base path may be wrong.
  if (status === 404)
    return intent !== undefined && Object.keys(parameters).length === 0 && !isDeclared(code, operation, model)
  if (![400, 415, 422].includes(status)) return false
  if (code !== undefined && refusals[code] !== undefined) return FORM_CODES.includes(code)
  return model.refusals.isOfInvalid(exchange) && !PRONE.test(intent?.edit ?? '/amount')
}

/** Values that a rule of the business may refuse. */
const PRONE = /amount|original|date|key|emv|initiation|beneficiary|url|_id$|discount|deduction/

function isDeclared(
  code: string | undefined,
  operation: Operation | undefined,
  { contract }: Model,
): boolean {
  const { responses = [] } = contract.behaviour.refusals?.[code ?? 'not_found'] ?? {}
  return responses.some(
    ({ status, operations }) => status === 404 && operations.includes(operation?.id ?? ''),
  )
}

/** A request without a body and a query has no value that could be an assumption. */
function citesOfRequest({ sent, query }: Exchange, { of }: Operation): Cites {
  return sent === undefined && query.size === 0
    ? { pointer: of.pointer }
    : { standard: 'OpenAPI 3.1, Media Type Object: an example of a request' }
}

/** What the value that was edited rests on: the open question about it, or the contract. */
function citesOfEdit(exchange: Exchange, pointer: string, model: Model): Cites {
  const { conventions = {} } = model.contract.behaviour
  const { operation } = exchange
  if (!operation) return { standard: VALID }
  if (hasUnknownField(exchange)) return cited(conventions.unknownFields)
  if (pointer === '') return exchange.sent === undefined ? cited(conventions.pages) : { standard: VALID }
  const { schema, value } = requestSchema(exchange, operation)
  const marks = marksAt(operation, schema, value, pointer)
  const isLeft = valueAt(value, pointer) === undefined
  const own = marks.at(-1)
  const question =
    (isLeft ? undefined : own?.any) ?? marks.findLast(({ whole }) => whole !== undefined)?.whole
  if (question !== undefined) return { question }
  return typeof valueAt(value, pointer) === 'string'
    ? cited(conventions.bounds)
    : { pointer: `${operation.of.pointer}/requestBody` }
}

/** The first filter of a list, whose value may have another form. */
function filterOf({ sent, query }: Exchange): string {
  const filter = [...query.keys()].find((name) => !['limit', 'cursor'].includes(name))
  return sent === undefined && filter !== undefined ? `/${filter}` : ''
}

const VALID = 'JSON Schema 2020-12: a value that matches its schema is valid'

function hasUnknownField(exchange: Exchange): boolean {
  return /"x_unknown"/.test(exchange.request.body ?? '')
}

/** The schema of the body; for a request without one, an object of the parameters in the query. */
function requestSchema({ sent, query }: Exchange, operation: Operation): { schema: unknown; value: unknown } {
  if (sent !== undefined)
    return {
      schema: valueAt(
        operation.validator.document,
        `${operation.of.pointer}/requestBody/content/application~1json/schema`,
      ),
      value: sent,
    }
  const properties = Object.fromEntries(
    queryParameters(operation).map(({ name, schema }) => [String(name), schema]),
  )
  return { schema: { properties }, value: Object.fromEntries(query) }
}

interface Mark {
  /** The question about the whole node, or whether it must be there. */
  readonly whole: string | undefined
  readonly any: string | undefined
}

/** The marks from the root of a schema to a pointer. */
function marksAt(
  { validator: { document } }: Operation,
  schema: unknown,
  value: unknown,
  pointer: string,
): Mark[] {
  const marks: Mark[] = []
  let node = mergedSchema(document, schema, value)
  let inside = value
  for (const step of stepsOf(pointer)) {
    inside = fieldsOf(inside)[step] ?? valueAt(inside, `/${step}`)
    node = mergedSchema(document, fieldsOf(node.properties)[step] ?? node.items, inside)
    marks.push(markOf(node['x-open-question']))
  }
  return marks
}

function markOf(mark: unknown): Mark {
  if (typeof mark === 'string') return { whole: mark, any: mark }
  const { presence, meaning, ...others } = fieldsOf(mark)
  const [first] = [...Object.values(others), meaning, presence].filter((it) => typeof it === 'string')
  return { whole: typeof presence === 'string' ? presence : undefined, any: first as string | undefined }
}

function keyOf(cites: Cites): string {
  return 'question' in cites ? cites.question : ''
}

import { stepsOf } from '@partner-payments/validator'
import { behaviour } from '../contract/behaviour.ts'
import { bodySchema, mergedSchema, type Operation, queryParameters } from '../contract/contract.ts'
import { fieldsOf, hasRepeatedField, stringAt, valueAt } from '../contract/json.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { schemeOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { isCurrent } from './access.ts'
import { isForbidden } from './refusals.ts'
import { cited, judge, quoted, REFUSALS, type Rule } from './rule.ts'

const { conventions, refusals } = behaviour

const requestsAccepted: Rule = {
  id: 'requests-accepted',
  says: 'A request that matches the contract is not refused as invalid.',
  advice: 'Accept the value, or narrow the schema of the contract.',
  settles: ['unknown-fields/'],
  read(exchange, model, report) {
    const { operation, intent, isVariant, outcome, status, request } = exchange
    if (
      !operation ||
      operation.isAlias ||
      outcome === 'unknown' ||
      request.method !== operation.method
    )
      return
    const isEdited = isVariant && intent?.edit !== undefined
    if (intent && !isEdited && !(isVariant && intent.edits)) return
    if (!isSignedIn(exchange, model) || !isValid(exchange) || isUnusual(exchange)) return
    // An id that no response has shown may have another form than those of the service.
    if (Object.keys(exchange.parameters).length > 0 && model.records.named(exchange).length === 0)
      return
    if (intent?.edits) {
      for (const it of outcome === 'accepted' ? intent.edits : [])
        report.passed(exchange, citesOfEdit(it, operation, exchange))
      return
    }
    const cites = isEdited
      ? citesOfEdit(intent.edit || filterOf(exchange), operation, exchange)
      : citesOfRequest(exchange, operation)
    if (outcome === 'accepted') return report.passed(exchange, cites)
    const broken = brokenFact(exchange, operation)
    if (broken)
      return report.failed(exchange, broken.cites, broken.message, { about: broken.about })
    if (!isRefusedAsInvalid(exchange, model)) return
    const value = valueAt(exchange.sent, intent?.edit ?? '')
    const words = intent?.edit ? ` with ${intent.edit} as ${quoted(value)}` : ''
    const message = `${operation.id}${words} was refused (${status}); the contract allows it.`
    const about = `${intent?.edit ?? ''} ${'question' in cites ? cites.question : ''}`
    report.failed(exchange, cites, message, { about })
  },
}

/**
 * What a refusal contradicts that the document states: a method at a path, or which fields are
 * required.
 */
function brokenFact(exchange: Exchange, operation: Operation) {
  const { status, intent } = exchange
  const { pointer } = operation.of
  const refused = `${operation.id} was refused (${status})`
  if (status === 405 && intent === undefined) {
    const message = `${refused}; the contract has this method at this path.`
    return { cites: { pointer }, message, about: 'method' }
  }
  const [field] =
    [400, 422].includes(status) && intent?.edit === undefined
      ? demandedFields(exchange, operation)
      : []
  if (field === undefined) return undefined
  const message = `${refused} without ${field}; the contract does not require it.`
  return { cites: { pointer: `${pointer}/requestBody` }, message, about: `without ${field}` }
}

/**
 * The fields that a refusal calls required, although no fact requires them and no open question
 * leaves them open.
 */
function demandedFields({ sent, shown }: Exchange, operation: Operation): string[] {
  const errors = valueAt(shown, '/errors')
  if (sent === undefined || !Array.isArray(errors)) return []
  const required = errors.filter((it) => stringAt(it, '/code') === 'required')
  const missing = required.flatMap((it) => stringAt(it, '/pointer') ?? [])
  return missing.filter((pointer) => {
    const isOpen =
      questionAt(operation, bodySchema(operation), { value: sent, pointer }) !== undefined
    return valueAt(sent, pointer) === undefined && !isOpen
  })
}

/** Whether a request has credentials that the service must accept. */
function isSignedIn(exchange: Exchange, model: Model): boolean {
  const { operation, request, by, status } = exchange
  const { authorization = '' } = request.headers
  if (operation?.scheme === 'basic') return model.credentials.includes(authorization)
  const isHidden = by?.customer !== undefined && status === 404
  return isCurrent(exchange, model) && schemeOf(authorization) === 'bearer' && !isHidden
}

/**
 * Whether it has a cursor, or a value that a store or a parser may refuse although no schema
 * excludes it.
 */
function isUnusual({ request: { body = '', path }, query }: Exchange): boolean {
  if (query.has('cursor') || /%00|[^ -~]/.test(path)) return true
  return /\\u0000|\\ud[89a-f]|__proto__|\[{50}|e400/i.test(body)
}

const FORM_CODES = [
  'invalid_request',
  'malformed_body',
  'unsupported_media_type',
  'method_not_allowed',
]

/**
 * Whether a refusal says that the request does not match the contract, and no declared rule or
 * record explains it.
 */
function isRefusedAsInvalid(exchange: Exchange, model: Model): boolean {
  const { status, operation, parameters, intent } = exchange
  const code = stringAt(exchange.shown, '/code')
  if (status === 406 || (status === 405 && intent !== undefined)) return true
  if (status === 404) {
    const { responses = [] } = refusals[code ?? ''] ?? refusals.not_found
    const isDeclared = responses.some(
      (it) => it.status === 404 && it.operations.includes(operation?.id ?? ''),
    )
    // Without an accepted request before, the whole base path may be wrong.
    return intent !== undefined && Object.keys(parameters).length === 0 && !isDeclared
  }
  if (![400, 415, 422].includes(status)) return false
  if (code !== undefined && refusals[code] !== undefined) return FORM_CODES.includes(code)
  const isProne = PRONE.test(intent?.edit ?? '/amount') || isForbidden({ exchange, model })
  return model.refusals.isOfInvalid(exchange) && !isProne
}

/** Values that a rule of the business may refuse. */
const PRONE = /amount|original|date|key|emv|initiation|beneficiary|url|_id$|discount|deduction/

/** A request without a body and a query has no value that could be an assumption. */
function citesOfRequest({ sent, query }: Exchange, { of }: Operation): Cites {
  return sent === undefined && query.size === 0
    ? { pointer: of.pointer }
    : { standard: 'OpenAPI 3.1, Media Type Object: an example of a request' }
}

/** The first filter of a list, whose value may have another form. */
function filterOf({ sent, query }: Exchange): string {
  const filter = [...query.keys()].find((name) => !['limit', 'cursor'].includes(name))
  return sent === undefined && filter !== undefined ? `/${filter}` : ''
}

/** What the value that was edited rests on: the open question about it, or the contract. */
function citesOfEdit(
  pointer: string,
  operation: Operation,
  { request, sent, query }: Exchange,
): Cites {
  if (/"x_unknown"/.test(request.body ?? '')) return cited(conventions.unknownFields)
  if (pointer === '')
    return sent === undefined
      ? cited(conventions.pages)
      : { standard: 'JSON Schema 2020-12: a value that matches its schema is valid' }
  const value = sent === undefined ? Object.fromEntries(query) : sent
  const schema = sent === undefined ? querySchema(operation) : bodySchema(operation)
  const question = questionAt(operation, schema, { value, pointer })
  if (question !== undefined) return { question }
  return typeof valueAt(value, pointer) === 'string'
    ? cited(conventions.bounds)
    : { pointer: `${operation.of.pointer}/requestBody` }
}

/** The parameters in the query as an object. */
function querySchema(operation: Operation): unknown {
  const properties = queryParameters(operation).map(({ name, schema }) => [String(name), schema])
  return { properties: Object.fromEntries(properties) }
}

interface Place {
  readonly value: unknown
  readonly pointer: string
}

/**
 * The question that marks a place of a request: its value, if it has one, or whether something
 * above it must be there.
 */
function questionAt(
  { validator: { document } }: Operation,
  schema: unknown,
  { value, pointer }: Place,
) {
  let node = mergedSchema(document, schema, value)
  let inside = value
  let question: string | undefined
  for (const step of stepsOf(pointer)) {
    inside = fieldsOf(inside)[step] ?? valueAt(inside, `/${step}`)
    node = mergedSchema(document, fieldsOf(node.properties)[step] ?? node.items, inside)
    question = wholeMark(node['x-open-question']) ?? question
  }
  const own = valueAt(value, pointer) === undefined ? undefined : anyMark(node['x-open-question'])
  return own ?? question
}

/** The question about a whole node, or whether it must be there. */
function wholeMark(mark: unknown): string | undefined {
  return typeof mark === 'string' ? mark : stringAt(mark, '/presence')
}

function anyMark(mark: unknown): string | undefined {
  const { presence, meaning, ...others } = fieldsOf(mark)
  const all = [mark, ...Object.values(others), meaning, presence]
  return all.find((it) => typeof it === 'string')
}

const httpBodies: Rule = {
  id: 'http-bodies',
  says: 'A body that is missing, is not valid JSON, has another media type or is too large is refused with the status for it.',
  advice: 'Check the size, the media type and the JSON of a body before anything else.',
  settles: ['body-size/refused'],
  read(exchange, _, report) {
    const { operation, outcome, status } = exchange
    const fault = operation && !operation.isAlias ? bodyFault(exchange) : undefined
    if (!fault || outcome === 'unknown' || !exchange.isVariant) return
    const { words, expected, cites = REFUSALS } = fault
    const isAccepted = outcome === 'accepted'
    // A conflict says that the body was read. The rule refusals-invalid judges what the contract
    // says.
    if (status === 409 || status === 429 || (isAccepted && !fault.cites)) return
    const message = `${operation?.id} ${isAccepted ? 'accepted' : 'refused'} ${words} (${status}); expected ${expected}.`
    judge(report, exchange, {
      cites,
      message: status !== expected && message,
      about: `${words} ${status}`,
    })
  },
}

interface Fault {
  readonly words: string
  readonly expected: number
  /** Undefined if the contract says that the request is invalid. */
  readonly cites?: Cites
}

/** Bytes of a body, by the assumption about its size. */
const LARGEST = 65_536

/** What is wrong with a body, apart from its fields. */
function bodyFault(exchange: Exchange): Fault | undefined {
  const { operation, request, sent } = exchange
  const { body, headers } = request
  if (!operation || bodySchema(operation) === undefined) return undefined
  if (body === undefined || body === '') return { words: 'no body', expected: 400 }
  if (Buffer.byteLength(body) > LARGEST)
    return { words: 'a body of more than 64 KB', expected: 413, cites: sizeCites('refused') }
  const type = headers['content-type']
  if (type === undefined || !/^application\/json *(;|$)/i.test(type))
    return { words: `the media type ${type ?? 'none'}`, expected: 415 }
  if (sent === undefined) return { words: 'a body that is not valid JSON', expected: 400 }
  if (!hasRepeatedField(body) || isValid(exchange)) return undefined
  return { words: 'a field twice', expected: 400, cites: cited(conventions.repeatedFields) }
}

function sizeCites(statement: 'refused' | 'accepted'): Cites {
  return { ...cited(conventions.bodySize), statement } as Cites
}

const httpNotations: Rule = {
  id: 'http-notations',
  says: 'A valid request is accepted in every notation that HTTP and JSON allow.',
  advice: 'Parse media types, schemes and JSON by their standards.',
  settles: ['body-size/accepted'],
  read(exchange, _, report) {
    const { operation, outcome, intent, status } = exchange
    if (!operation || operation.isAlias || !intent?.isNotation || outcome === 'unknown') return
    if (!exchange.isVariant || bodyFault(exchange) || !isValid(exchange)) return
    const code = stringAt(exchange.shown, '/code')
    const isOfBusiness = status === 422 && (code === undefined || refusals[code] !== undefined)
    const isRefused = [400, 401, 406, 411, 413, 415, 422].includes(status) && !isOfBusiness
    if (outcome === 'refused' && !isRefused) return
    const message = `${operation.id} refused another notation of a request that it accepts (${status}).`
    const cites = notationCites(exchange)
    judge(report, exchange, { cites, message: isRefused && message, about: String(status) })
  },
}

/** The header or the part of the body that is written in another way. */
function notationCites({ request: { body = '', headers } }: Exchange): Cites {
  if (Buffer.byteLength(body) > 10_000) return sizeCites('accepted')
  if (!/^(Bearer|Basic) /.test(headers.authorization ?? '')) return cited(conventions.tokenScheme)
  if (hasRepeatedField(body)) return cited(conventions.repeatedFields)
  if (headers.accept !== 'application/json') return { standard: 'RFC 9110, section 12.5.1' }
  const isOther = body !== '' && headers['content-type'] !== 'application/json'
  return { standard: isOther ? 'RFC 9110, section 8.3.1' : 'RFC 8259, sections 2, 4 and 7' }
}

export const requestRules = [requestsAccepted, httpBodies, httpNotations]

import { MARK, questionOf } from '@partner-payments/contract'
import { stepsOf } from '@partner-payments/validator'
import { behaviour } from '../contract/behaviour.ts'
import { bodySchema, mergeSchema, type Operation, queryParameters } from '../contract/contract.ts'
import { fieldsOf, type Json, repeatsAnyField, stringAt, valueAt } from '../contract/json.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { schemeOf } from '../model/tokens.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { hasCurrentToken } from './access.ts'
import { noteEnumValue } from './enum-values.ts'
import { isForbidden } from './refusals.ts'
import { cite, citeStatement, quote, REFUSAL_FORM, type Rule, type RuleContext } from './rule.ts'

const { conventions, refusals } = behaviour

const requestsAccepted: Rule = {
  id: 'requests-accepted',
  says: 'A request that matches the contract is not refused as invalid.',
  advice: 'Accept the value, or narrow the schema of the contract.',
  settles: ['unknown-fields/'],
  read(exchange, model, report) {
    const { operation, intent, outcome, request } = exchange
    if (!operation || operation.isAlias || outcome === 'unknown') return
    if (request.method !== operation.method || !canJudge(exchange)) return
    if (!isSignedIn(exchange, model) || !isValid(exchange) || isUnusual(exchange)) return

    // An id that no response has shown may have another form than those of the service.
    const hasId = Object.keys(exchange.parameters).length > 0
    if (hasId && model.records.named(exchange).length === 0) return

    if (intent?.edits) {
      // Only an acceptance says something of each of several edits.
      if (outcome !== 'accepted') return
      for (const edit of intent.edits) report.passed(exchange, citeEdit(edit, operation, exchange))
      return
    }

    const cites = citeRequestOrEdit(exchange, operation)
    if (outcome === 'accepted') {
      noteEnumValue(intent?.edit, exchange, report)
      report.passed(exchange, cites, readEnumValue(exchange, operation))
    } else reportRefusal(operation, cites, { exchange, model, report })
  },
}

/** Whether a request was sent for itself, or is an edit of one that was accepted. */
function canJudge({ intent, isVariant }: Exchange): boolean {
  if (!intent) return true
  return isVariant && (intent.edit !== undefined || intent.edits !== undefined)
}

/** What the acceptance of a request rests on. */
function citeRequestOrEdit(exchange: Exchange, operation: Operation): Cites {
  const { intent } = exchange
  if (intent?.edit === undefined) return citeRequest(exchange, operation)
  return citeEdit(intent.edit || findFirstFilter(exchange), operation, exchange)
}

function reportRefusal(
  operation: Operation,
  cites: Cites,
  { exchange, model, report }: RuleContext,
): void {
  const broken = findBrokenFact(exchange, operation)
  if (broken) {
    report.failed(exchange, broken.cites, broken.message, { about: broken.about })
    return
  }

  if (!isRefusedAsInvalid(exchange, model)) return
  noteEnumValue(exchange.intent?.edit, exchange, report)

  const edit = exchange.intent?.edit ?? ''
  const words = edit === '' ? '' : ` with ${edit} as ${quote(valueAt(exchange.sent, edit))}`
  const message = `${operation.id}${words} was refused (${exchange.status}); the contract allows it.`
  const question = 'question' in cites ? cites.question : ''
  report.failed(exchange, cites, message, { about: `${edit} ${question}` })
}

interface BrokenFact {
  readonly cites: Cites
  readonly message: string
  readonly about: string
}

/**
 * What a refusal contradicts that the document states: a method at a path, or which fields are
 * required.
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

  const [field] = findDemandedFields(exchange, operation)
  if (field === undefined) return undefined
  return {
    cites: { pointer: `${pointer}/requestBody` },
    message: `${refused} without ${field}; the contract does not require it.`,
    about: `without ${field}`,
  }
}

/**
 * The fields that a refusal calls required, although no fact requires them and no open question
 * leaves them open.
 */
function findDemandedFields({ sent, shown }: Exchange, operation: Operation): string[] {
  const errors = valueAt(shown, '/errors')
  if (sent === undefined || !Array.isArray(errors)) return []

  const required = errors.filter((error) => stringAt(error, '/code') === 'required')
  const pointers = required.flatMap((error) => stringAt(error, '/pointer') ?? [])
  const schema = bodySchema(operation)
  return pointers.filter((pointer) => {
    const isMissing = valueAt(sent, pointer) === undefined
    return isMissing && findQuestion(operation, schema, { value: sent, pointer }) === undefined
  })
}

/** Whether a request has credentials that the service must accept. */
function isSignedIn(exchange: Exchange, model: Model): boolean {
  const { operation, request, by, status } = exchange
  const { authorization = '' } = request.headers
  if (operation?.scheme === 'basic') return model.credentials.includes(authorization)

  const isHidden = by?.customer !== undefined && status === 404
  return hasCurrentToken(exchange, model) && schemeOf(authorization) === 'bearer' && !isHidden
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

/** Whether it has a cursor, or a value that a store or a parser may refuse. */
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
 * Whether a refusal says that the request does not match the contract, and no declared rule or
 * record explains it.
 */
function isRefusedAsInvalid(exchange: Exchange, model: Model): boolean {
  const { status, intent } = exchange
  // Of an unedited request, 405 contradicts a fact.
  if (status === 406 || (status === 405 && intent !== undefined)) return true

  const isMissing = status === 404 && isRefusedAsMissing(exchange)
  const isOfContent = isMissing || status === 400 || status === 415 || status === 422
  if (!isOfContent) return false

  const code = stringAt(exchange.shown, '/code')
  if (code !== undefined && refusals[code] !== undefined) return FORM_CODES.includes(code)

  const isOfBusiness = mayBeRefusedByBusiness(intent?.edit) || isForbidden({ exchange, model })
  return model.refusals.isOfInvalid(exchange) && !isOfBusiness
}

/** Whether a 404 can concern no record, since the request names none and the contract says so. */
function isRefusedAsMissing({ operation, parameters, intent, shown }: Exchange): boolean {
  // Without an accepted request before, the whole base path may be wrong.
  if (intent === undefined || Object.keys(parameters).length > 0) return false

  const code = stringAt(shown, '/code') ?? ''
  const { responses = [] } = refusals[code] ?? refusals.not_found
  const isDeclared = responses.some(
    ({ status, operations }) => status === 404 && operations.includes(operation?.id ?? ''),
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

/** A request without a body and a query has no value that could be an assumption. */
function citeRequest({ sent, query }: Exchange, { declaration }: Operation): Cites {
  if (sent === undefined && query.size === 0) return { pointer: declaration.pointer }
  return { standard: 'OpenAPI 3.1, Media Type Object: an example of a request' }
}

/** The first filter of a list, whose value may have another form. */
function findFirstFilter({ sent, query }: Exchange): string {
  if (sent !== undefined) return ''
  const filter = [...query.keys()].find((name) => name !== 'limit' && name !== 'cursor')
  return filter === undefined ? '' : `/${filter}`
}

/** What the value that was edited rests on: the open question about it, or the contract. */
function citeEdit(
  pointer: string,
  operation: Operation,
  { request, sent, query }: Exchange,
): Cites {
  if (request.body?.includes('"x_unknown"')) return cite(conventions.unknownFields)

  const isQuery = sent === undefined
  if (pointer === '' && isQuery) return cite(conventions.pages)
  if (pointer === '')
    return { standard: 'JSON Schema 2020-12: a value that matches its schema is valid' }

  const value = isQuery ? Object.fromEntries(query) : sent
  const schema = isQuery ? buildQuerySchema(operation) : bodySchema(operation)
  const question = findQuestion(operation, schema, { value, pointer })
  const isWholeTaxId =
    question === MASKING_QUESTION && !String(valueAt(value, pointer)).includes('*')
  if (isWholeTaxId) return { question: 'document-forms' }
  if (question !== undefined) return { question }

  const isText = typeof valueAt(value, pointer) === 'string'
  return isText
    ? cite(conventions.bounds)
    : { pointer: `${operation.declaration.pointer}/requestBody` }
}

/** A field that takes a masked tax ID takes a whole one too, whose form is a question of its own. */
const MASKING_QUESTION = 'owner-masking'

/** The parameters in the query as an object. */
function buildQuerySchema(operation: Operation): unknown {
  const properties = queryParameters(operation).map(({ name, schema }) => [String(name), schema])
  return { properties: Object.fromEntries(properties) }
}

interface Place {
  readonly value: unknown
  readonly pointer: string
}

/** The value that was edited, if it is one of an enumeration. */
function readEnumValue({ intent, sent }: Exchange, operation: Operation): string | undefined {
  const pointer = intent?.edit
  if (!pointer || sent === undefined) return undefined

  const { node } = findSchema(operation, bodySchema(operation), { value: sent, pointer })
  const value = valueAt(sent, pointer)
  return Array.isArray(node.enum) && value !== undefined ? `${pointer} ${value}` : undefined
}

/**
 * The question that marks a place of a request: its value, if it has one, or whether something
 * above it must be there.
 */
function findQuestion(operation: Operation, schema: unknown, place: Place): string | undefined {
  const { node, presence } = findSchema(operation, schema, place)
  const isThere = valueAt(place.value, place.pointer) !== undefined
  const ownQuestion = isThere ? findQuestionOfNode(node) : undefined
  return ownQuestion ?? presence
}

/** The schema of a place, and the question whether something above it must be there. */
function findSchema(
  { validator: { document } }: Operation,
  schema: unknown,
  { value, pointer }: Place,
): { readonly node: Json; readonly presence: string | undefined } {
  let node = mergeSchema(document, schema, value)
  let inside = value
  let presence: string | undefined

  for (const step of stepsOf(pointer)) {
    inside = fieldsOf(inside)[step] ?? valueAt(inside, `/${step}`)
    node = mergeSchema(document, fieldsOf(node.properties)[step] ?? node.items, inside)
    presence = questionOf(node, 'presence') ?? presence
  }
  return { node, presence }
}

/** The question about a node: of its whole or a part of it, of its meaning, or of its presence. */
function findQuestionOfNode(node: Json): string | undefined {
  const { presence, meaning, ...parts } = fieldsOf(node[MARK])
  return questionOf(node, ...Object.keys(parts), 'meaning', 'presence')
}

/** A conflict says that the body was read; too many requests, that it may not have been. */
const STATUSES_OF_OTHER_MATTERS = [409, 429]

const httpBodies: Rule = {
  id: 'http-bodies',
  says: 'A body that is missing, is not valid JSON, has another media type or is too large is refused with the status for it.',
  advice: 'Check the size, the media type and the JSON of a body before anything else.',
  settles: ['body-size/refused'],
  read(exchange, _, report) {
    const { operation, outcome, status } = exchange
    if (!operation || operation.isAlias) return
    if (outcome === 'unknown' || !exchange.isVariant || STATUSES_OF_OTHER_MATTERS.includes(status))
      return

    const fault = findBodyFault(exchange)
    if (!fault) return

    // The rule refusals-invalid judges what the contract says.
    const isAccepted = outcome === 'accepted'
    if (isAccepted && !fault.cites) return

    const { words, expected, cites } = fault
    if (cites)
      report.expect(
        !isAccepted,
        {
          evidence: exchange,
          cites,
          about: words,
        },
        () => `${operation.id} accepted ${words} (${status}); expected ${expected}.`,
      )
    if (isAccepted) return

    // Which status a refusal has is a question of its own.
    report.expect(
      status === expected,
      {
        evidence: exchange,
        cites: REFUSAL_FORM,
        about: `${words} ${status}`,
      },
      () => `${operation.id} refused ${words} (${status}); expected ${expected}.`,
    )
  },
}

interface BodyFault {
  readonly words: string
  readonly expected: number
  /** Undefined if the contract says that the request is invalid. */
  readonly cites?: Cites
}

/** Bytes of a body, by the assumption about its size. */
const MAX_BODY_BYTES = conventions.bodySize.bytes

/** What is wrong with a body, apart from its fields. */
function findBodyFault(exchange: Exchange): BodyFault | undefined {
  const { operation, request, sent } = exchange
  const { body, headers } = request
  if (!operation || bodySchema(operation) === undefined) return undefined

  if (body === undefined || body === '') return { words: 'no body', expected: 400 }

  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    return {
      words: `a body of more than ${MAX_BODY_BYTES / 1024} KB`,
      expected: 413,
      cites: citeSize('refused'),
    }

  const type = headers['content-type']
  const isJson = type !== undefined && /^application\/json *(;|$)/i.test(type)
  if (!isJson) return { words: `the media type ${type ?? 'none'}`, expected: 415 }

  if (sent === undefined) return { words: 'a body that is not valid JSON', expected: 400 }

  if (repeatsAnyField(body) && !isValid(exchange))
    return {
      words: 'a field twice',
      expected: 400,
      cites: cite(conventions.repeatedFields),
    }

  return undefined
}

function citeSize(statement: 'refused' | 'accepted'): Cites {
  return citeStatement(conventions.bodySize, statement)
}

/**
 * Statuses that refuse how a request is written: its content (400, 422), its credentials (401), and
 * the headers accept (406), content-length (411, 413) and content-type (415).
 */
const NOTATION_STATUSES = [400, 401, 406, 411, 413, 415, 422]

const httpNotations: Rule = {
  id: 'http-notations',
  says: 'A valid request is accepted in every notation that HTTP and JSON allow.',
  advice: 'Parse media types, schemes and JSON by their standards.',
  settles: ['body-size/accepted'],
  judges: 'refusals',
  read(exchange, _, report) {
    const { operation, outcome, intent, status } = exchange
    if (!operation || operation.isAlias || !intent?.isNotation || outcome === 'unknown') return
    if (!exchange.isVariant || findBodyFault(exchange) || !isValid(exchange)) return
    // How a body is written says nothing of who sent it.
    if (status === 401 && !hasOtherScheme(exchange)) return

    const isRefused = NOTATION_STATUSES.includes(status) && !mayBeBusinessRefusal(exchange)
    if (outcome === 'refused' && !isRefused) return

    report.expect(
      !isRefused,
      {
        evidence: exchange,
        cites: citeNotation(exchange),
        about: String(status),
      },
      () => `${operation.id} refused another notation of a request that it accepts (${status}).`,
    )
  },
}

/** Whether a rule of the business may be the reason for a refusal. */
function mayBeBusinessRefusal({ status, shown }: Exchange): boolean {
  const code = stringAt(shown, '/code')
  return status === 422 && (code === undefined || refusals[code] !== undefined)
}

/** Whether the scheme is not written in the usual letters. */
function hasOtherScheme({ request: { headers } }: Exchange): boolean {
  const { authorization = '' } = headers
  return !authorization.startsWith('Bearer ') && !authorization.startsWith('Basic ')
}

/** Bytes of a body that is written in another way only by its size. */
const LARGE_BODY_BYTES = 10_000

/** The header or the part of the body that is written in another way. */
function citeNotation(exchange: Exchange): Cites {
  const { body = '', headers } = exchange.request
  if (Buffer.byteLength(body) > LARGE_BODY_BYTES) return citeSize('accepted')

  // That Bearer and bearer are one scheme does not depend on which scheme tokens have.
  if (hasOtherScheme(exchange)) return { standard: 'RFC 9110, section 11.1' }

  if (repeatsAnyField(body)) return cite(conventions.repeatedFields)
  if (headers.accept !== 'application/json') return { standard: 'RFC 9110, section 12.5.1' }

  const isOtherType = body !== '' && headers['content-type'] !== 'application/json'
  return { standard: isOtherType ? 'RFC 9110, section 8.3.1' : 'RFC 8259, sections 2, 4 and 7' }
}

export const requestRules = [requestsAccepted, httpBodies, httpNotations]

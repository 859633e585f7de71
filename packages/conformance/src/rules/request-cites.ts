import { MARK, questionOf } from '@partner-payments/contract'
import { stepsOf } from '@partner-payments/validator'
import { behaviour } from '../contract/behaviour.ts'
import type { Operation } from '../contract/contract.ts'
import { listQueryParameters, mergeSchema, readBodySchema } from '../contract/contract.ts'
import type { Json } from '../contract/json.ts'
import { fieldsOf, valueAt } from '../contract/json.ts'
import { UNKNOWN_FIELD } from '../contract/unknown-field.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Cites } from '../report/report.ts'
import { cite } from './rule.ts'

const { conventions } = behaviour

/**
 * Cites what says that a valid request is accepted. If the checker has edited one field of an accepted request, such
 * as `/amount`, that is what the contract says of this field, and otherwise of the whole request.
 */
export function citeRequestOrEdit(exchange: Exchange, operation: Operation): Cites {
  // The pointer of the edited field, empty for an edit of the whole request. Undefined if it was not edited.
  const edit = exchange.intent?.edit
  if (edit === undefined) return citeRequest(exchange, operation)

  // An edit of the query of a list has no pointer: a filter in it counts as what was edited.
  const isOfWholeRequest = edit === ''
  const pointer = isOfWholeRequest ? findFirstFilter(exchange) : edit
  return citeEdit(pointer, operation, exchange)
}

/**
 * Cites what says that a request which was not edited is accepted: the operation, if the request has no value that
 * could be an assumption, and else that a contract shows such a request as its example.
 */
function citeRequest({ requestBody, query }: Exchange, { declaration }: Operation): Cites {
  if (requestBody === undefined && query.size === 0) return { pointer: declaration.pointer }
  return { standard: 'OpenAPI 3.1, Media Type Object: an example of a request' }
}

/** Finds the first filter of a list, such as `/status`; empty if there is none. */
function findFirstFilter({ requestBody, query }: Exchange): string {
  if (requestBody !== undefined) return ''
  const filter = [...query.keys()].find((name) => name !== 'limit' && name !== 'cursor')
  return filter === undefined ? '' : `/${filter}`
}

/**
 * Cites what says that a request is accepted with an edited value: the open question that marks the field, the
 * assumption about the bounds of strings, or the contract. Without a pointer, what says so of the whole request.
 *
 * @param pointer Into the body, or to a parameter of the query; empty for the whole request.
 */
export function citeEdit(
  pointer: string,
  operation: Operation,
  { request, requestBody, query }: Exchange,
): Cites {
  // The checker adds this field to see whether a service ignores what it does not know.
  if (request.body?.includes(`"${UNKNOWN_FIELD}"`)) return cite(conventions.unknownFields)

  // A request without a body was edited in its query.
  const isQuery = requestBody === undefined
  if (pointer !== '') {
    const value = isQuery ? Object.fromEntries(query) : requestBody
    const schema = isQuery ? buildQuerySchema(operation) : readBodySchema(operation)
    return citeEditedField({ value, pointer }, schema, operation)
  }

  if (isQuery) return cite(conventions.pages)
  return { standard: 'JSON Schema 2020-12: a value that matches its schema is valid' }
}

/**
 * Cites what says that one edited field of a request is accepted: the open question that marks the field in the
 * contract, else the assumption about the length of strings, or the facts about the body.
 *
 * @param schema That of the whole body or query.
 */
function citeEditedField(place: Place, schema: unknown, operation: Operation): Cites {
  const question = findQuestion(operation, schema, place)
  const edited = valueAt(place.value, place.pointer)
  // A field that takes a masked tax ID takes a whole one too, whose form is a question of its own.
  const isWholeTaxId = question === MASKING_QUESTION && !String(edited).includes('*')
  if (isWholeTaxId) return { question: FORM_QUESTION }
  if (question !== undefined) return { question }

  // The document limits no text, so how long it may be is assumed. Its other types are facts.
  if (typeof edited === 'string') return cite(conventions.bounds)
  return { pointer: `${operation.declaration.pointer}/requestBody` }
}

const MASKING_QUESTION = 'owner-masking'
const FORM_QUESTION = 'document-forms'

/**
 * Builds the schema of an object whose properties are the parameters in the query of an operation:
 * `{ properties: { limit: { type: 'integer' } } }`.
 */
function buildQuerySchema(operation: Operation): unknown {
  const properties = listQueryParameters(operation).map(({ name, schema }) => [
    String(name),
    schema,
  ])
  return { properties: Object.fromEntries(properties) }
}

/** A place in a request: the whole body or query, and a pointer into it. */
interface Place {
  readonly value: unknown
  readonly pointer: string
}

/**
 * Reads the edited value of a request with its pointer, such as `/type emv`, if the contract lists the values of the
 * field in an enumeration (`enum`). Undefined of another field, and if no field of a body was edited.
 */
export function readEnumValue(
  { intent, requestBody }: Exchange,
  operation: Operation,
): string | undefined {
  const pointer = intent?.edit
  if (!pointer || requestBody === undefined) return undefined

  const { node } = findSchema(operation, readBodySchema(operation), { value: requestBody, pointer })
  const value = valueAt(requestBody, pointer)
  const isOfEnum = Array.isArray(node.enum) && value !== undefined
  return isOfEnum ? `${pointer} ${value}` : undefined
}

/**
 * Finds the open question that marks a place of a request in its schema: the one about its value, such as which words an
 * `enum` has, or else the one about whether the field must be there. Undefined if the place rests on facts alone.
 */
export function findQuestion(
  operation: Operation,
  schema: unknown,
  place: Place,
): string | undefined {
  const { node, presenceQuestion } = findSchema(operation, schema, place)
  // Without a value, there is no question about it.
  const isThere = valueAt(place.value, place.pointer) !== undefined
  const valueQuestion = isThere ? findQuestionOfNode(node) : undefined
  return valueQuestion ?? presenceQuestion
}

/** The schema of a place in a request. */
interface PlaceSchema {
  readonly node: Json
  /** The open question whether the field, or one around it, must be present; undefined if that is a fact. */
  readonly presenceQuestion: string | undefined
}

/**
 * Finds the schema of a place in a request, step by step from that of the whole body or query: to `/amount/original`,
 * through the schema of `amount` to that of its `original`.
 */
function findSchema(
  { validator: { document } }: Operation,
  schema: unknown,
  { value, pointer }: Place,
): PlaceSchema {
  let node = mergeSchema(document, schema, value)
  let valueOfNode = value
  let presenceQuestion: string | undefined

  // A step is the name of a field or the index of an item.
  for (const step of stepsOf(pointer)) {
    const isIndex = Array.isArray(valueOfNode)
    valueOfNode = isIndex ? valueAt(valueOfNode, `/${step}`) : fieldsOf(valueOfNode)[step]
    const schemaOfStep = fieldsOf(node.properties)[step] ?? node.items
    node = mergeSchema(document, schemaOfStep, valueOfNode)
    // Whether a field must be there may be a question of the field, or of one around it. The innermost one counts.
    presenceQuestion = questionOf(node, 'presence') ?? presenceQuestion
  }
  return { node, presenceQuestion }
}

/**
 * Finds the open question about a part of a schema (a node), such as about its `enum`, its meaning, or its presence,
 * in this order; undefined if it has no mark.
 */
function findQuestionOfNode(node: Json): string | undefined {
  const markedNames = Object.keys(fieldsOf(node[MARK]))
  const parts = markedNames.filter((name) => name !== 'meaning' && name !== 'presence')
  return questionOf(node, ...parts, 'meaning', 'presence')
}

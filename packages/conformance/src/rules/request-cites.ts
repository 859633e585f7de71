import { MARK, questionOf } from '@partner-payments/contract'
import { stepsOf } from '@partner-payments/validator'
import { behaviour } from '../contract/behaviour.ts'
import type { Operation } from '../contract/contract.ts'
import { bodySchema, mergeSchema, queryParameters } from '../contract/contract.ts'
import type { Json } from '../contract/json.ts'
import { fieldsOf, valueAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Cites } from '../report/report.ts'
import { cite } from './rule.ts'

const { conventions } = behaviour

/** What the acceptance of a request rests on. */
export function citeRequestOrEdit(exchange: Exchange, operation: Operation): Cites {
  const { intent } = exchange
  if (intent?.edit === undefined) return citeRequest(exchange, operation)
  return citeEdit(intent.edit || findFirstFilter(exchange), operation, exchange)
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
export function citeEdit(
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
export function readEnumValue(
  { intent, sent }: Exchange,
  operation: Operation,
): string | undefined {
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
export function findQuestion(
  operation: Operation,
  schema: unknown,
  place: Place,
): string | undefined {
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

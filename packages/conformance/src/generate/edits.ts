import { pointerOf } from '@partner-payments/validator'
import { bodySchema, mergedSchema, type Operation, queryParameters } from '../contract/contract.ts'
import { fieldsOf, type Json, valueAt, withValue } from '../contract/json.ts'
import { type Input, pathOf } from '../send/sender.ts'
import { candidatesOf, type Dates } from './candidates.ts'

/** An edit of one place of a request. */
export interface Edit {
  /** The pointer of the edit, into the body or the query. */
  readonly pointer: string
  /** Undefined removes what is there. */
  readonly value: unknown
  readonly isValid: boolean
}

/** A request with edits of its body, or of its query if it has no body. */
export function edited(input: Input, edits: readonly Pick<Edit, 'pointer' | 'value'>[]): Input {
  const { body, query } = input
  if (body === undefined) {
    const parameters = edits.map(({ pointer, value }) => [pointer.slice(1), String(value)])
    return { ...input, query: { ...query, ...Object.fromEntries(parameters) } }
  }
  const all = edits.reduce<unknown>((it, { pointer, value }) => withValue(it, pointer, value), body)
  return { ...input, body: all ?? null }
}

/** A place that a schema declares. */
interface Site {
  /** A pointer into the body, or into the query. */
  readonly pointer: string
  readonly schema: Json
}

/** Edits of one place, valid and invalid ones each, and those of a place with the same schema as an earlier one. */
const MOST = { valid: 8, invalid: 11 }
const MOST_AGAIN = { valid: 2, invalid: 4 }

/** The edits of a valid request in one place. */
export function editsOf(operation: Operation, valid: Input, dates: Dates): Edit[] {
  const isQuery = valid.body === undefined
  const [schema, sample] = isQuery ? queryOf(operation) : [bodySchema(operation), valid.body]
  const sites = sitesOf(operation.validator.document, schema, sample).slice(isQuery ? 1 : 0)
  return sites.flatMap(({ pointer, schema }, i) => {
    const isKnown = sites.slice(0, i).some((it) => hasSameForm(it.schema, schema))
    const values = candidatesOf(schema, valueAt(sample, pointer), dates).filter(
      (it) => !isQuery || typeof it === 'string',
    )
    const edits = values.map((value) => {
      const input = edited(valid, [{ pointer, value }])
      return { pointer, value, isValid: isValidInput(operation, input) }
    })
    const most = isKnown ? MOST_AGAIN : MOST
    return [
      ...edits.filter(({ isValid }) => isValid).slice(0, most.valid),
      ...edits.filter(({ isValid }) => !isValid).slice(0, most.invalid),
    ]
  })
}

/** The parameters as fields of an object, but the cursor, which is valid only with the list that it comes from. */
function queryOf(operation: Operation): [schema: Json, sample: Json] {
  const parameters = queryParameters(operation).filter(({ name }) => name !== 'cursor')
  const each = (field: string) => Object.fromEntries(parameters.map((it) => [String(it.name), it[field]]))
  return [{ properties: each('schema') }, each('example')]
}

/** Limits the depth of a place. */
const DEEPEST = 12

/** All places that a schema declares, whether a value has them or not. The value chooses between alternatives. */
function sitesOf(document: object, schema: unknown, value: unknown, pointer = ''): Site[] {
  const merged = mergedSchema(document, schema, value)
  if (pointer.split('/').length > DEEPEST) return []
  const fields = Object.entries(fieldsOf(merged.properties)).flatMap(([name, it]) =>
    sitesOf(document, it, fieldsOf(value)[name], pointerOf(pointer, name)),
  )
  const items = merged.items ? sitesOf(document, merged.items, valueAt(value, '/0'), `${pointer}/0`) : []
  return [{ pointer, schema: merged }, ...fields, ...items]
}

function hasSameForm(one: Json, other: Json): boolean {
  return one.pattern !== undefined && one.pattern === other.pattern
}

/** Whether a request is valid by the contract. */
export function isValidInput(operation: Operation, input: Input): boolean {
  const [path = '', query = ''] = pathOf(operation, input).split('?', 2)
  const { body } = input
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const message = { method: operation.method, path, query, headers, ...(body !== undefined && { body }) }
  return operation.validator.validateRequest(message).length === 0
}

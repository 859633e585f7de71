import { pointerOf } from '@partner-payments/validator'
import { bodySchema, mergedSchema, type Operation, queryParameters } from '../contract/contract.ts'
import { fieldsOf, type Json, valueAt, withValue } from '../contract/json.ts'
import { type Input, pathOf } from '../send/sender.ts'
import { candidatesOf, type Dates } from './candidates.ts'

/** A request with one field or parameter edited. */
export interface Edit {
  readonly input: Input
  /** The pointer of the edit, into the body or the query. */
  readonly pointer: string
  readonly isValid: boolean
}

/** A place in a request, and how a value gets there. */
interface Place extends Site {
  /** What the request has there. */
  readonly value: unknown
  edit(value: unknown): Input
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

/** The requests that differ from a valid one in one place. */
export function editsOf(operation: Operation, valid: Input, dates: Dates): Edit[] {
  const places = bodyPlaces(operation, valid)
  const inBody = places.flatMap((it, i) => {
    const isKnown = places.slice(0, i).some(({ schema }) => hasSameForm(schema, it.schema))
    return editsAt(operation, it, candidatesOf(it, dates), isKnown ? MOST_AGAIN : MOST)
  })
  const inQuery = queryPlaces(operation, valid).flatMap((it) => {
    const texts = candidatesOf(it, dates).filter((value) => typeof value === 'string')
    return editsAt(operation, it, texts, MOST)
  })
  return [...inBody, ...inQuery]
}

function bodyPlaces(operation: Operation, valid: Input): Place[] {
  const schema = bodySchema(operation)
  const sites = schema === undefined ? [] : sitesOf(operation.validator.document, schema, valid.body)
  return sites.map((site) => ({
    ...site,
    value: valueAt(valid.body, site.pointer),
    edit: (value) => ({ ...valid, body: withValue(valid.body, site.pointer, value) ?? null }),
  }))
}

/** The parameters but the cursor, which is valid only with the list that it comes from. */
function queryPlaces(operation: Operation, valid: Input): Place[] {
  const parameters = queryParameters(operation).filter(({ name }) => name !== 'cursor')
  return parameters.flatMap(({ name, schema, example }) =>
    sitesOf(operation.validator.document, schema, example, `/${name}`).map((site) => ({
      ...site,
      value: example,
      edit: (value) => ({ ...valid, query: { ...valid.query, [String(name)]: String(value) } }),
    })),
  )
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

function editsAt(
  operation: Operation,
  { pointer, edit }: Place,
  candidates: readonly unknown[],
  most: typeof MOST,
): Edit[] {
  const edits = candidates.map((value) => {
    const input = edit(value)
    return { input, pointer, isValid: isValidInput(operation, input) }
  })
  return [
    ...edits.filter(({ isValid }) => isValid).slice(0, most.valid),
    ...edits.filter(({ isValid }) => !isValid).slice(0, most.invalid),
  ]
}

/** Whether a request is valid by the contract. */
export function isValidInput(operation: Operation, input: Input): boolean {
  const [path = '', query = ''] = pathOf(operation, input).split('?', 2)
  const { body } = input
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const message = { method: operation.method, path, query, headers, ...(body !== undefined && { body }) }
  return operation.validator.validateRequest(message).length === 0
}

import type { Operation } from '../contract/contract.ts'
import { type Json, valueAt, withValue } from '../contract/json.ts'
import { type Input, pathOf } from '../send/sender.ts'
import { candidatesOf, type Dates } from './candidates.ts'
import { queryParameters, sitesOf } from './sites.ts'

/** A request with one field or parameter edited. */
export interface Edit {
  readonly input: Input
  /** The pointer of the edit, into the body or the query. */
  readonly pointer: string
  readonly isValid: boolean
}

/** A place in a request, and how a value gets there. */
interface Place {
  readonly pointer: string
  readonly schema: Json
  /** What the request has there. */
  readonly value: unknown
  edit(value: unknown): Input
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

function bodyPlaces({ validator: { document }, of }: Operation, valid: Input): Place[] {
  const schema = valueAt(document, `${of.pointer}/requestBody/content/application~1json/schema`)
  return (schema === undefined ? [] : sitesOf(document, schema, valid.body)).map((site) => ({
    ...site,
    value: valueAt(valid.body, site.pointer),
    edit: (value) => ({ ...valid, body: withValue(valid.body, site.pointer, value) ?? null }),
  }))
}

/** The parameters but the cursor, which is valid only with the list that it comes from. */
function queryPlaces(operation: Operation, valid: Input): Place[] {
  const { document } = operation.validator
  return queryParameters(operation)
    .filter(({ name }) => name !== 'cursor')
    .flatMap(({ name, schema, example }) =>
      sitesOf(document, schema, example, `/${name}`).map((site) => ({
        ...site,
        value: example,
        edit: (value) => ({ ...valid, query: { ...valid.query, [String(name)]: String(value) } }),
      })),
    )
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

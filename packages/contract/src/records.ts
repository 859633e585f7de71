import type { DeclaredResource } from './behaviour.ts'
import { schemasAt } from './document.ts'
import type { Json } from './json.ts'
import type { RecordPlace, Response } from './operation.ts'

interface DeclaredRecord {
  readonly resource: DeclaredResource | undefined
  readonly list: { readonly items: string } | undefined
}

/**
 * Finds where a response shows the records of a resource: in the items of a list, at the place that
 * the resource declares for this schema, or as the whole body. Undefined if no field has an id
 * there, as in a response with tokens.
 */
export function recordPlace(
  document: Json,
  { body }: Response,
  { resource, list }: DeclaredRecord,
): RecordPlace | undefined {
  if (!resource || !body) return undefined

  const { id = '/id', records = {} } = resource
  const isList = list !== undefined
  const hasIdAt = (pointer: string) =>
    schemasAt(document, body.schema, `${pointer}${isList ? '/0' : ''}${id}`).length > 0

  if (list) return hasIdAt(list.items) ? { pointer: list.items, isList, id } : undefined

  // A copy of the contract without references has no names of schemas.
  const declared = body.name === undefined ? Object.values(records) : [records[body.name] ?? '']
  const wholeBody = ''
  const pointer = [...declared, wholeBody].find(hasIdAt)
  return pointer === undefined ? undefined : { pointer, isList, id }
}

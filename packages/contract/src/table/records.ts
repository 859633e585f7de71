import type { Json } from '../json/json.ts'
import type { DeclaredResource } from './behaviour.ts'
import { schemasAt } from './document.ts'
import type { RecordPlace, Response } from './operation.ts'

interface DeclaredRecord {
  readonly resource: DeclaredResource | undefined
  readonly list: { readonly items: string } | undefined
}

/**
 * Finds where a response shows the records of a resource, such as
 * `{ pointer: '/data', isList: true, id: '/id' }`: the items of `/data`, each with its id.
 * Undefined if it shows none, as a response with tokens.
 */
export function recordPlace(
  document: Json,
  { body }: Response,
  { resource, list }: DeclaredRecord,
): RecordPlace | undefined {
  if (!resource || !body) return undefined

  const { id = '/id', records = {} } = resource
  const hasField = (pointer: string) => schemasAt(document, body.schema, pointer).length > 0

  if (list) {
    const { items } = list
    return hasField(`${items}/0${id}`) ? { pointer: items, isList: true, id } : undefined
  }

  // One record: inside the body, where its resource declares that, or else the whole body.
  const places = [...listDeclaredPlaces(records, body.name), WHOLE_BODY]
  const pointer = places.find((place) => hasField(place + id))
  return pointer === undefined ? undefined : { pointer, isList: false, id }
}

/** The pointer to a whole body. */
const WHOLE_BODY = ''

/** The places that a resource declares for the schema of a body; all of them if it has no name. */
function listDeclaredPlaces(
  placeBySchema: Readonly<Record<string, string>>,
  schemaName: string | undefined,
): string[] {
  // A copy of the contract without references has no names of schemas.
  if (schemaName === undefined) return Object.values(placeBySchema)

  const place = placeBySchema[schemaName]
  return place === undefined ? [] : [place]
}

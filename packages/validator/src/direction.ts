import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { withApplied } from './reference.ts'
import { partsOf } from './resolve.ts'
import { resourcesOf } from './resources.ts'

/**
 * Who sends a value: a client to the service, or the service to a client. A webhook delivery comes from the service.
 *
 * @example
 * const direction: Direction = 'to-service'
 */
export type Direction = 'to-service' | 'from-service'

/** The keyword of properties that the sender need not have: the other side decides about them, or keeps them. */
const KEYWORDS = { 'to-service': 'readOnly', 'from-service': 'writeOnly' } as const

/** Names of properties. */
export type Names = ReadonlySet<string>

/** Which properties a schema cannot require in one direction (OpenAPI 3.1, "Validating Readonly and Writeonly"). */
export interface Optional {
  /** For `required` of this very schema: by itself or by a schema that it applies, whether always or only sometimes. */
  own(schema: Cursor): Names
  /** For the schemas that it applies: by itself, or by a schema that it always applies. */
  inner(schema: Cursor): Names
}

const NONE: Names = new Set()

/** No names where the direction does not matter, or no schema of the document has the keyword. */
export function optionalOf(root: Cursor, direction: Direction | undefined): Optional {
  const keyword = direction && KEYWORDS[direction]
  if (!keyword || !resourcesOf(root).has(keyword)) return { own: () => NONE, inner: () => NONE }
  return {
    own: (schema) => named(withApplied(root, schema), (it) => isMarked(root, it, keyword)),
    inner: (schema) => named(partsOf(root, schema), (it) => isMarked(root, it, keyword)),
  }
}

function named(schemas: readonly Cursor[], isMeant: (property: Cursor) => boolean): Names {
  const properties = schemas.flatMap((schema) => children(child(schema, 'properties')))
  const names = properties.filter(([, property]) => isMeant(property)).map(([name]) => name)
  return names.length > 0 ? new Set(names) : NONE
}

function isMarked(root: Cursor, property: Cursor, keyword: string): boolean {
  return withApplied(root, property).some((it) => keywordOf(it, keyword) === true)
}

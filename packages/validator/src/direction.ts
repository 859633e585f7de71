import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { withApplied } from './reference.ts'
import { partsOf } from './resolve.ts'
import { resourcesOf } from './resources.ts'

/**
 * The sender of a value: a client sends to the service, or the service to a client, as in a webhook delivery.
 *
 * @example
 * const direction: Direction = 'to-service'
 */
export type Direction = 'to-service' | 'from-service'

/** The keyword of properties that the sender may omit, by direction. */
const KEYWORDS = { 'to-service': 'readOnly', 'from-service': 'writeOnly' } as const

/** Property names. */
export type Names = ReadonlySet<string>

/** Which properties a schema cannot require in one direction (OpenAPI 3.1, "Validating Readonly and Writeonly"). */
export interface Optional {
  /** Optional for `required` of this schema: declared by it or by any schema that it applies, even conditionally. */
  own(schema: Cursor): Names
  /** Optional for the schemas that it applies: declared by it or by a schema that it always applies. */
  inner(schema: Cursor): Names
}

const NONE: Names = new Set()

/** Empty if there is no direction or no schema uses the keyword. */
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

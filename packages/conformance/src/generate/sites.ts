import type { Operation } from '../contract/contract.ts'
import { escaped, fieldsOf, type Json, valueAt } from '../contract/json.ts'
import { resolved } from '../contract/marks.ts'

/** A place in a request, and the schema that it has there. */
export interface Site {
  /** A pointer into the body, or into the query. */
  readonly pointer: string
  readonly schema: Json
}

/** Limits the depth of references and schemas. */
const DEEPEST = 12

/** All places that a schema declares, whether a value has them or not. The value chooses between alternatives. */
export function sitesOf(document: object, schema: unknown, value: unknown, pointer = ''): Site[] {
  const merged = mergedSchema(document, schema, value)
  if (pointer.split('/').length > DEEPEST) return []
  const fields = Object.entries(fieldsOf(merged.properties)).flatMap(([name, it]) =>
    sitesOf(document, it, fieldsOf(value)[name], `${pointer}/${escaped(name)}`),
  )
  const items = merged.items ? sitesOf(document, merged.items, valueAt(value, '/0'), `${pointer}/0`) : []
  return [{ pointer, schema: merged }, ...fields, ...items]
}

/** The declared parameters of the query. */
export function queryParameters({ validator: { document }, of }: Operation): Json[] {
  const declared: unknown = valueAt(document, `${of.pointer}/parameters`)
  return Object.values(typeof declared === 'object' && declared !== null ? declared : [])
    .map((it) => resolved(document, it) ?? {})
    .filter((it) => it.in === 'query')
}

/** A schema without references and alternatives. Keywords beside a reference override those behind it. */
export function mergedSchema(document: object, schema: unknown, value: unknown, depth = 0): Json {
  const { $ref, oneOf, ...own } = fieldsOf(schema)
  if (depth > DEEPEST) return own
  const target = typeof $ref === 'string' ? valueAt(document, $ref.slice(1)) : undefined
  const branches = Array.isArray(oneOf) ? oneOf.map((it) => mergedSchema(document, it, value, depth + 1)) : []
  const chosen = branches.find((it) => hasConstantsOf(it, value)) ?? branches[0] ?? {}
  const referred = target ? mergedSchema(document, target, value, depth + 1) : {}
  const marks = [referred, chosen, own].map((it) => it['x-open-question'] ?? {})
  const mark = marks.every((it) => typeof it === 'object')
    ? Object.assign({}, ...marks)
    : marks.findLast((it) => typeof it === 'string')
  return { ...referred, ...chosen, ...own, 'x-open-question': mark }
}

function hasConstantsOf({ properties }: Json, value: unknown): boolean {
  return Object.entries(fieldsOf(properties)).every(([name, it]) => {
    const constant = fieldsOf(it).const
    return constant === undefined || constant === fieldsOf(value)[name]
  })
}

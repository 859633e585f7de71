import { coerce } from './coerce.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { isNode } from './json.ts'
import { withApplied } from './reference.ts'
import { typesOf } from './resolve.ts'

/** The schemas that determine the type of a string; several if several branches describe a property. */
export type Schemas = readonly Cursor[]

/** The value of one or more strings. */
export function valueOfTexts(root: Cursor, schemas: Schemas, texts: readonly string[]): unknown {
  const types = typesOfAll(root, schemas)
  if (types?.includes('array')) return itemsOf(root, schemas, texts)
  // Several strings are not a scalar.
  return texts.length === 1 ? coerce(texts[0] ?? '', types) : texts
}

/** Converts strings to an array of values. */
export function itemsOf(root: Cursor, schemas: Schemas, texts: readonly string[]): unknown[] {
  const types = typesOfAll(root, itemSchemas(root, schemas))
  return texts.map((text) => coerce(text, types))
}

/** Converts alternating names and values, `a,1,b,2`, to an object. */
export function objectOf(
  root: Cursor,
  schemas: Schemas,
  entries: readonly (readonly [string, string])[],
): object {
  return Object.fromEntries(
    entries.map(([name, text]) => [
      name,
      coerce(text, typesOfAll(root, propertySchemas(root, schemas, name))),
    ]),
  )
}

/**
 * Another interpretation of the same strings; the same value if there is none. A string stays a string if its schema
 * allows strings, but `5` may also be a number if another type or branch of the schema allows it.
 */
export function otherReading(root: Cursor, schemas: Schemas, value: unknown): unknown {
  if (typeof value === 'string') return otherThanText(root, schemas, value)
  if (!isNode(value)) return value
  const inner = (name: string) =>
    Array.isArray(value) ? itemSchemas(root, schemas) : propertySchemas(root, schemas, name)
  const entries = Object.entries(value)
  const others = entries.map(([name, it]) => [name, otherReading(root, inner(name), it)] as const)
  if (entries.every(([, it], i) => it === others[i]?.[1])) return value
  return Array.isArray(value) ? others.map(([, it]) => it) : Object.fromEntries(others)
}

function otherThanText(root: Cursor, schemas: Schemas, text: string): unknown {
  const usual = typesOfAll(root, schemas)
  if (usual && !usual.includes('string')) return text
  const stated = schemas.flatMap((schema) => withApplied(root, schema)).flatMap((it) => keywordOf(it, 'type'))
  const others = stated.filter((it) => typeof it === 'string' && it !== 'string')
  return others.length > 0 ? coerce(text, others as string[]) : text
}

/** The types that schemas allow together; undefined if none states a type. */
export function typesOfAll(root: Cursor, schemas: Schemas): readonly string[] | undefined {
  const types = schemas.flatMap((schema) => typesOf(root, schema) ?? [])
  return types.length > 0 ? types : undefined
}

/** The schemas of the items. */
export function itemSchemas(root: Cursor, schemas: Schemas): Cursor[] {
  return all(root, schemas).flatMap((it) => child(it, 'items') ?? [])
}

/** The schemas of a property, or of undeclared properties. */
export function propertySchemas(root: Cursor, schemas: Schemas, name: string): Cursor[] {
  const every = all(root, schemas)
  const own = every.flatMap((it) => childAt(it, 'properties', name) ?? [])
  return own.length > 0 ? own : every.flatMap((it) => child(it, 'additionalProperties') ?? [])
}

/** The names of the properties that a schema declares. */
export function propertyNames(root: Cursor, schema: Cursor): string[] {
  const names = withApplied(root, schema).flatMap((it) => children(child(it, 'properties')))
  return [...new Set(names.map(([name]) => name))]
}

function childAt(schema: Cursor, keyword: string, name: string): Cursor | undefined {
  const held = child(schema, keyword)
  return held && child(held, name)
}

function all(root: Cursor, schemas: Schemas): Cursor[] {
  return schemas.flatMap((schema) => withApplied(root, schema))
}

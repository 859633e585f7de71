import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { follow } from './reference.ts'

/** The types of JSON Schema. */
const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** The types that a schema allows; undefined for any. Keeps `integer` separate from `number`. */
export function typesOf(root: Cursor, schema: Cursor, depth = 0): readonly string[] | undefined {
  if (depth > 20) return undefined
  const own = keywordOf(schema, 'type')
  if (own !== undefined) return [own].flat().map(String)
  const listed =
    keywordOf(schema, 'const') !== undefined ? [keywordOf(schema, 'const')] : keywordOf(schema, 'enum')
  if (Array.isArray(listed)) return [...new Set(listed.map(typeOf))]
  return fromParts(root, schema, depth)
}

/** The combined types of several schemas. */
function fromParts(root: Cursor, schema: Cursor, depth: number): readonly string[] | undefined {
  for (const part of partsOf(root, schema).slice(1)) {
    const types = typesOf(root, part, depth + 1)
    if (types) return types
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = children(child(schema, keyword)).map(([, branch]) => typesOf(root, branch, depth + 1))
    if (branches.length > 0 && branches.every(Boolean))
      return [...new Set(branches.flatMap((it) => it ?? []))]
  }
  return undefined
}

const parts = new WeakMap<Cursor, readonly Cursor[]>()

/** A schema and the schemas that it always applies: the target of `$ref`, and each of `allOf`. */
export function partsOf(root: Cursor, schema: Cursor): readonly Cursor[] {
  const known = parts.get(schema) ?? collected(root, schema)
  parts.set(schema, known)
  return known
}

function collected(root: Cursor, schema: Cursor, depth = 0): Cursor[] {
  if (depth > 20) return []
  const referred = typeof keywordOf(schema, '$ref') === 'string' ? [follow(root, schema)] : []
  const all = children(child(schema, 'allOf')).map(([, part]) => part)
  return [schema, ...[...referred, ...all].flatMap((part) => collected(root, part, depth + 1))]
}

/** The JSON Schema type of a value. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return TYPES.includes(type) ? type : 'undefined'
}

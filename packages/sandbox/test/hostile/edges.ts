import { type Node, resolved } from '../contract.ts'
import { words } from './words.ts'

/** A value to set at a path of a body. */
export interface Edit {
  /** The fields that lead to it. */
  readonly place: readonly string[]
  readonly value: unknown
}

/** Removes the field. */
const GONE = Symbol('gone')

/** For every field: another type, null, limits of numbers and strings, and names from Object.prototype. */
const ANYWHERE: readonly unknown[] = [
  ...words(`
    0 -0 00.00 0.00 NaN null 1e3 %00 __proto__ constructor ../../etc/passwd {{x}} 2026-02-30 0000-01-01 9999-12-31
    2026-12-15T00:00:00Z 9999999999.99 99999999999.00`),
  ...[GONE, null, true, 0, -0, -1, 1.5, 1e-7, 1e308, -1e308, 5e-324, 2 ** 53],
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff a',
    'a\u202eb',
    '\u{10ffff}0',
    '😀'.repeat(20),
    'x'.repeat(10_000),
  ],
  ...['é', 'e\u0301', '٣.٠٠', '\ufeff', '\r\nx: y', '"\'`;--'],
  ...[[], [null], [[[[]]]], {}, { length: 3 }, { toString: 1 }, { constructor: { prototype: 1 } }],
]

/** Edits that violate the schema of a body, or are just within its limits. */
export function editsOf(document: object, written: Node, place: readonly string[] = []): Edit[] {
  const schema = resolved(document, written)
  const parts = ['oneOf', 'anyOf', 'allOf'].flatMap((word) => (schema[word] ?? []) as Node[])
  const inner = [schema, ...parts.map((part) => resolved(document, part))].flatMap(fieldsOf)
  return [
    ...inner.flatMap(([name, field]) => editsOf(document, field, [...place, name])),
    ...[...ANYWHERE, ...boundsOf(schema)].map((value) => ({ place, value })),
  ]
}

function fieldsOf({ properties, items }: Node): [name: string, schema: Node][] {
  const named = Object.entries((properties ?? {}) as Record<string, Node>)
  return items ? [...named, ['0', items as Node]] : named
}

/** The limits of a schema, and values just beyond them. */
function boundsOf({ minLength, maxLength, minimum, maximum, maxItems, enum: values }: Node): unknown[] {
  const around = (...bounds: unknown[]) =>
    bounds.flatMap((it) => (typeof it === 'number' ? [it - 1, it, it + 1] : []))
  return [
    ...around(minLength, maxLength).map((length) => 'a'.repeat(Math.max(0, length))),
    ...around(maxItems).map((length) => Array.from({ length }, () => ({}))),
    ...around(minimum, maximum),
    ...((values ?? []) as string[]).flatMap((it) => [it, ` ${it}`, it.toLowerCase(), `${it}\0`]),
  ]
}

/** Applies an edit to a body. Missing objects on the path are created. */
export function edited(body: unknown, { place, value }: Edit): unknown {
  const [name, ...rest] = place
  if (name === undefined) return value === GONE ? undefined : value
  const copy = (typeof body === 'object' && body !== null ? { ...body } : {}) as Record<string, unknown>
  const next = edited(copy[name], { place: rest, value })
  if (next === undefined) delete copy[name]
  else copy[name] = next
  return copy
}

import { type Node, resolved } from '../contract.ts'
import { words } from './random.ts'

/** A value to set at a path of a body. */
export interface Edit {
  /** The fields that lead to it. */
  readonly place: readonly string[]
  readonly value: unknown
}

/** Removes the field. */
export const GONE = Symbol('gone')

/** For every field: another type, null, limits of numbers and strings, and names from Object.prototype. */
const ANYWHERE: readonly unknown[] = [
  ...words(`
    0 -0 00.00 0.00 NaN null 1e3 %00 __proto__ constructor toString ../../etc/passwd {{x}} 2026-02-30
    0000-01-01 9999-12-31 2026-12-15T00:00:00Z 9999999999.99 99999999999.00`),
  ...[GONE, null, true, false],
  ...[0, -0, -1, 1.5, 1e-7, 1e308, -1e308, 5e-324, 2 ** 53, Number.MAX_SAFE_INTEGER],
  ...['', ' ', '\0', 'a\0b', '\ud800', '\udfff a', 'a\u202eb', '\u{10ffff}', '\u{10ffff}0', '😀'.repeat(20)],
  ...['é', 'e\u0301', '٣.٠٠', '\ufeff', '\r\nx: y', '"\'`;--', 'x'.repeat(10_000)],
  ...[[], [null], [[[[]]]]],
  ...[{}, { length: 3 }, { toString: 1 }, { constructor: { prototype: 1 } }],
]

/** Edits that violate the schema of a body, or are just within its limits. */
export function editsOf(document: object, schema: Node, example: unknown): Edit[] {
  return placesOf(document, schema, example, []).flatMap(({ place, schema: own }) =>
    [...ANYWHERE, ...boundsOf(own)].map((value) => ({ place, value })),
  )
}

interface Place {
  readonly place: readonly string[]
  readonly schema: Node
}

/** The paths in a schema and its example, deepest first. */
function placesOf(document: object, written: Node, example: unknown, place: readonly string[]): Place[] {
  const schema = resolved(document, written)
  const parts = [schema, ...['oneOf', 'anyOf', 'allOf'].flatMap((word) => (schema[word] ?? []) as Node[])]
  const inner = parts.flatMap((part) => membersOf(resolved(document, part)))
  const below = inner.flatMap(([name, field]) =>
    placesOf(document, field, (example as Node | undefined)?.[name], [...place, name]),
  )
  return [...below, { place, schema }]
}

function membersOf({ properties, items }: Node): [name: string, schema: Node][] {
  const named = Object.entries((properties ?? {}) as Record<string, Node>)
  return items ? [...named, ['0', items as Node]] : named
}

/** The limits of a schema, and values just beyond them. */
function boundsOf({ minLength, maxLength, minimum, maximum, maxItems, enum: values }: Node): unknown[] {
  const lengths = [minLength, maxLength].flatMap((it) => aroundOf(it, 0).map((length) => 'a'.repeat(length)))
  const sizes = aroundOf(maxItems, 0).map((length) => Array.from({ length }, () => ({})))
  const numbers = [minimum, maximum].flatMap((it) => aroundOf(it, Number.NEGATIVE_INFINITY))
  const words = ((values ?? []) as string[]).flatMap((it) => [it, ` ${it}`, it.toLowerCase(), `${it}\0`])
  return [...lengths, ...sizes, ...numbers, ...words]
}

function aroundOf(bound: unknown, least: number): number[] {
  return typeof bound === 'number' ? [bound - 1, bound, bound + 1].filter((it) => it >= least) : []
}

/** Applies an edit to a body. Missing objects on the path are created. */
export function edited(body: unknown, { place, value }: Edit): unknown {
  const root = { it: structuredClone(body) } as Record<string, unknown>
  const steps = ['it', ...place]
  const last = steps.pop() ?? 'it'
  let at = root
  for (const step of steps) {
    const next = at[step]
    if (typeof next !== 'object' || next === null) at[step] = {}
    at = at[step] as Record<string, unknown>
  }
  if (value === GONE) delete at[last]
  else at[last] = value
  return root.it
}

/** JSON with an additional field that an object literal cannot contain. */
export function withPrototypeNames(json: string): string {
  return json.startsWith('{')
    ? json.replace('{', '{"__proto__":{"amount":"1.00","type":"dict"},"constructor":{"prototype":{"x":1}},')
    : json
}

/** JSON of a deeply nested value. */
export function nested(levels: number, open = '[', close = ']'): string {
  return open.repeat(levels) + close.repeat(levels)
}

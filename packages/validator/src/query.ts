import { coerce } from './coerce.ts'
import { type Cursor, child, children } from './cursor.ts'
import { partsOf, typesOf } from './resolve.ts'

/** A name and its value, both as they came, the name decoded. */
export type Pair = readonly [name: string, value: string]

/** The pairs of a query or of a form. */
export function pairsOf(query: string): Pair[] {
  const text = query.startsWith('?') ? query.slice(1) : query
  const pairs = text.split('&').filter((pair) => pair !== '')
  return pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    return [decode(name), rest.join('=')]
  })
}

/** Percent-decoded; as it came where it cannot be, as the URL Standard has it. */
export function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** An object whose members are the pairs. */
export function formOf(root: Cursor, schema: Cursor, pairs: readonly Pair[]): Record<string, unknown> {
  const names = [...new Set(pairs.map(([name]) => name))]
  return Object.fromEntries(
    names.map((name) => {
      const values = pairs.filter((pair) => pair[0] === name).map(([, value]) => decode(value))
      const member = memberOf(root, schema, name)
      return [name, member ? valueOfTexts(root, member, values) : values.length > 1 ? values : values[0]]
    }),
  )
}

/** The value of a member that is written once or several times. */
export function valueOfTexts(root: Cursor, schema: Cursor, texts: readonly string[]): unknown {
  const types = typesOf(root, schema)
  if (types?.includes('array')) return itemsOf(root, schema, texts)
  // Several values of what is one are no value of it.
  return texts.length === 1 ? coerce(texts[0] ?? '', types) : texts
}

/** A list of the values that texts stand for. */
export function itemsOf(root: Cursor, schema: Cursor, texts: readonly string[]): unknown[] {
  const items = partsOf(root, schema)
    .map((part) => child(part, 'items'))
    .find(Boolean)
  const types = items && typesOf(root, items)
  return texts.map((text) => (items ? coerce(text, types) : text))
}

/** An object of the members that texts name in turn: `a,1,b,2`. */
export function objectOf(
  root: Cursor,
  schema: Cursor,
  entries: readonly (readonly [string, string])[],
): object {
  return Object.fromEntries(
    entries.map(([name, text]) => {
      const member = memberOf(root, schema, name)
      return [name, member ? coerce(text, typesOf(root, member)) : text]
    }),
  )
}

/** The schema of a member, wherever in the parts of a schema it stands. */
function memberOf(root: Cursor, schema: Cursor, name: string): Cursor | undefined {
  const parts = partsOf(root, schema).map((part) => child(part, 'properties'))
  return parts.map((properties) => properties && child(properties, name)).find(Boolean)
}

/** The names of the members that a schema mentions. */
export function memberNames(root: Cursor, schema: Cursor): string[] {
  return partsOf(root, schema).flatMap((part) => children(child(part, 'properties')).map(([name]) => name))
}

import { type Document, nodeOf } from './document.ts'
import { walk } from './walk.ts'

/** An RFC 3339 date-time (section 5.6). */
const DATE_TIME = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i

/** The strings of a value whose schema has the format `date-time`, which have several equivalent notations. */
export function dateTimesIn(
  document: Document,
  schema: string | undefined,
  value: unknown,
): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  if (schema === undefined) return found
  walk(document, schema, value, (pointer, it) => {
    if (typeof it === 'string' && nodeOf(document.at(pointer)).format === 'date-time') found.add(it)
  })
  return found
}

/** Compares to the millisecond. */
export function isSameInstant(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((it) =>
    typeof it === 'string' && DATE_TIME.test(it) ? Date.parse(it) : Number.NaN,
  )
  return left === right
}

import { type Document, nodeOf } from './document.ts'
import { walk } from './schema-walk.ts'

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

/** A leap second, which most services show as the second before or after it (RFC 3339, section 5.7). */
const LEAP_SECOND = /:60(?=[.Zz+-])/

/** Compares to the millisecond. */
export function isSameInstant(one: unknown, other: unknown): boolean {
  const [left = Number.NaN, right = Number.NaN] = [one, other].map((it) =>
    typeof it === 'string' && DATE_TIME.test(it) ? Date.parse(it.replace(LEAP_SECOND, ':59')) : Number.NaN,
  )
  const isLeap = [one, other].some((it) => LEAP_SECOND.test(String(it)))
  return left === right || (isLeap && Math.abs(left - right) === 1_000)
}

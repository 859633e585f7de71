import { type Document, nodeOf } from './document.ts'
import { walk } from './walk.ts'

/** A date and a time of day, with its offset from UTC (RFC 3339, section 5.6). */
const DATE_TIME = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i

/** The texts of a value that its schema calls moments: one may be shown by another offset, or with more zeros. */
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

/** Whether two texts are one moment, to the millisecond. */
export function isSameInstant(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((it) =>
    typeof it === 'string' && DATE_TIME.test(it) ? Date.parse(it) : Number.NaN,
  )
  return left === right
}

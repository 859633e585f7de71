import { nodeOf, valueAt } from '../../model/document.ts'

/** A field of a response outside of its records, whose name matches. */
export function fieldIn(body: unknown, name: RegExp): unknown {
  if (Array.isArray(body)) return undefined
  const levels = [
    nodeOf(body),
    ...Object.values(nodeOf(body))
      .filter((it) => !Array.isArray(it))
      .map(nodeOf),
  ]
  const [found] = levels.flatMap((it) => Object.entries(it).filter(([key]) => name.test(key)))
  return found && (nodeOf(found[1]).href ?? found[1])
}

/** Arrays of a response that hold no records. */
const ASIDE = /^(_?links?|errors?|messages?|warnings?|included)$/i

/** The records of a list: where they are declared to be, or in the one array that the response holds. */
export function itemsIn(body: unknown, declared?: string): readonly unknown[] {
  const shown = declared === undefined ? undefined : valueAt(body, declared)
  if (Array.isArray(shown)) return shown
  if (Array.isArray(body)) return body
  const inside = fieldsOf(body)
  const all = [...inside, ...inside.flatMap((it) => (Array.isArray(it) ? [] : fieldsOf(it)))]
  return all.find((it) => Array.isArray(it)) ?? []
}

function fieldsOf(value: unknown): unknown[] {
  return Object.entries(nodeOf(value)).flatMap(([name, it]) => (ASIDE.test(name) ? [] : [it]))
}

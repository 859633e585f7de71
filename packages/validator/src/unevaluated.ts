import { type Cursor, keywordOf } from './cursor.ts'
import { at, isNode, type Node } from './json.ts'
import { regExpOf } from './keywords.ts'
import { dynamicTargets, inPlaceOf } from './reference.ts'

/** A schema as ajv compiles it. */
type View = object

/** The keywords for items and properties that no other keyword looks at. */
export type Keyword = 'unevaluatedItems' | 'unevaluatedProperties'

/** One of these keywords, judged here: its schema, and the one that it stands in. */
export interface Unevaluated {
  readonly keyword: Keyword
  readonly beside: View
  readonly rest: View
}

/** How the parts of a view are tried. */
export interface Trial {
  /** Whether a value is one of a view. */
  readonly fits: (view: View, value: unknown) => boolean
  /** The view that a reference names. */
  readonly named: (name: string) => View | undefined
}

/** What a schema with these looks at depends on the value, which ajv misjudges: in choices inside of choices, for one. */
const UNSURE = ['contains', 'anyOf', 'oneOf', 'if', 'dependentSchemas']

/** Whether ajv can misjudge what a schema looks at. */
export function isUnsure(root: Cursor, schema: Cursor): boolean {
  const found = new Set([schema])
  for (const it of found) {
    if (UNSURE.some((other) => keywordOf(it, other) !== undefined)) return true
    for (const part of [...inPlaceOf(root, it), ...dynamicTargets(root, it)]) found.add(part)
  }
  return false
}

/** The items or properties that no schema looks at, and that do not fit (JSON Schema Core, section 11). */
export function unevaluatedOf({ keyword, beside, rest }: Unevaluated, value: Node, trial: Trial): string[] {
  if (Array.isArray(value) !== (keyword === 'unevaluatedItems')) return []
  const seen = new Set<string>()
  mark(beside, value, { ...trial, seen })
  return Object.keys(value).filter((key) => !seen.has(key) && !trial.fits(rest, value[key]))
}

interface Marking extends Trial {
  readonly seen: Set<string>
}

/** Marks what a schema looks at, which the value fits. */
function mark(view: View, value: Node, marking: Marking): void {
  const own = Array.isArray(value) ? itemsOf(view, value, marking) : propertiesOf(view, value)
  for (const key of own) marking.seen.add(key)
  for (const part of appliedBy(view, value, marking))
    if (marking.fits(part, value)) mark(part, value, marking)
}

function itemsOf(view: View, items: Node, { fits }: Trial): string[] {
  const keys = Object.keys(items)
  if (['items', 'unevaluatedItems', 'unevaluated'].some((keyword) => at(view, keyword) !== undefined))
    return keys
  const first = at(view, 'prefixItems')
  const count = Array.isArray(first) ? first.length : 0
  const contained = at(view, 'contains')
  return keys.filter((key) => Number(key) < count || (isNode(contained) && fits(contained, items[key])))
}

function propertiesOf(view: View, value: Node): string[] {
  const keys = Object.keys(value)
  const all = ['additionalProperties', 'unevaluatedProperties', 'unevaluated']
  if (all.some((keyword) => at(view, keyword) !== undefined)) return keys
  const patterns = Object.keys(Object(at(view, 'patternProperties'))).map(regExpOf)
  return keys.filter(
    (key) => at(at(view, 'properties'), key) !== undefined || patterns.some((pattern) => pattern?.test(key)),
  )
}

/** The schemas that one applies to the very value. */
function appliedBy(view: View, value: Node, { fits, named }: Trial): View[] {
  const reference = at(view, '$ref')
  const referred = typeof reference === 'string' ? [named(reference)] : []
  const several = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => at(view, keyword) ?? [])
  const test = at(view, 'if')
  const tested = isNode(test) ? [test, at(view, fits(test, value) ? 'then' : 'else')] : []
  const dependent = Object.keys(Object(at(view, 'dependentSchemas'))).filter((key) =>
    Object.hasOwn(value, key),
  )
  const byKey = dependent.map((key) => at(at(view, 'dependentSchemas'), key))
  return [...referred, ...several, ...tested, ...byKey].filter(isNode)
}

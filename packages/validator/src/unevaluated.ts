import { at, isNode, type Node } from './json.ts'
import { regExpOf } from './keywords.ts'

/** A schema in the form that ajv compiles. */
type View = object

/** The keywords for items and properties that no other keyword evaluates. */
export type Keyword = 'unevaluatedItems' | 'unevaluatedProperties'

/** One of these keywords: its schema and the schema that contains it. */
export interface Unevaluated {
  readonly keyword: Keyword
  readonly beside: View
  readonly rest: View
}

/** Evaluates the parts of a view. */
export interface Trial {
  /** Whether a value is valid against a view. */
  readonly fits: (view: View, value: unknown) => boolean
  /** The target view of a reference. */
  readonly named: (name: string) => View | undefined
}

/** The unevaluated items or properties that are invalid (JSON Schema Core, section 11). */
export function unevaluatedOf({ keyword, beside, rest }: Unevaluated, value: Node, trial: Trial): string[] {
  if (Array.isArray(value) !== (keyword === 'unevaluatedItems')) return []
  const seen = new Set<string>()
  mark(beside, value, { ...trial, seen })
  return Object.keys(value).filter((key) => !seen.has(key) && !trial.fits(rest, value[key]))
}

interface Marking extends Trial {
  readonly seen: Set<string>
}

/** Marks everything that a valid schema evaluates. Schemas that it always applies are valid too, or report their own error. */
function mark(view: View, value: Node, marking: Marking): void {
  const own = Array.isArray(value) ? itemsOf(view, value, marking) : propertiesOf(view, value)
  for (const key of own) marking.seen.add(key)
  for (const part of appliedBy(view, value, marking)) mark(part, value, marking)
}

function itemsOf(view: View, items: Node, { fits }: Trial): string[] {
  const keys = Object.keys(items)
  if (at(view, 'items') !== undefined || judges(view, 'unevaluatedItems')) return keys
  const first = at(view, 'prefixItems')
  const count = Array.isArray(first) ? first.length : 0
  const contained = at(view, 'contains')
  return keys.filter((key) => Number(key) < count || (isNode(contained) && fits(contained, items[key])))
}

function propertiesOf(view: View, value: Node): string[] {
  const keys = Object.keys(value)
  if (at(view, 'additionalProperties') !== undefined || judges(view, 'unevaluatedProperties')) return keys
  const patterns = Object.keys(Object(at(view, 'patternProperties'))).map(regExpOf)
  return keys.filter(
    (key) => at(at(view, 'properties'), key) !== undefined || patterns.some((pattern) => pattern?.test(key)),
  )
}

/** Whether a view represents one of these keywords, which evaluates everything left. */
function judges(view: View, keyword: Keyword): boolean {
  return at(at(view, 'unevaluated'), 'keyword') === keyword
}

/** The valid schemas that a schema applies to the same value. */
function appliedBy(view: View, value: Node, { fits, named }: Trial): View[] {
  const reference = at(view, '$ref')
  const referred = typeof reference === 'string' ? named(reference) : undefined
  const test = at(view, 'if')
  const holds = isNode(test) && fits(test, value)
  const dependent = at(view, 'dependentSchemas')
  const keys = Object.keys(Object(dependent)).filter((key) => Object.hasOwn(value, key))
  const certain = [
    referred,
    listed(view, 'allOf'),
    isNode(test) ? at(view, holds ? 'then' : 'else') : undefined,
    keys.map((key) => at(dependent, key)),
  ]
  const tried = [...listed(view, 'anyOf'), ...listed(view, 'oneOf')].filter((part) => fits(part, value))
  return [...certain.flat(), ...tried, ...(holds ? [test] : [])].filter(isNode)
}

function listed(view: View, keyword: string): View[] {
  const parts = at(view, keyword)
  return Array.isArray(parts) ? parts : []
}

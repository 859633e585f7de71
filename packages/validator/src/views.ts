import { type Choice, choiceOf, type Group, placeOfChoice, type Tag } from './choice.ts'
import { ContractError } from './contract-error.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { type Direction, type Names, optionalOf } from './direction.ts'
import { isNode, type Node } from './json.ts'
import { dynamicTarget, entered, type Scope, target } from './reference.ts'
import type { Keyword, Unevaluated } from './unevaluated.ts'

/** The origin of a schema that ajv compiles. */
export interface Origin {
  readonly schema: Cursor
  /** Set for a generated schema, whose finding replaces the errors of a keyword. */
  readonly replacement?: Replacement
}

/** A finding that replaces errors of ajv. */
export interface Replacement {
  readonly keyword: string
  readonly pointer: string
  readonly question: string | undefined
  /** The property of the value that the finding is about. */
  readonly property?: string
  /** The expected types or values; empty if nothing is allowed. */
  readonly types?: readonly string[]
  readonly values?: readonly unknown[]
}

/** A schema of the document in the form that ajv compiles. */
export type View = object

const PLAIN = new Set(
  `type const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems
   uniqueItems maxContains minContains maxProperties minProperties pattern format`.split(/\s+/),
)
const ONE = new Set([
  'items',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
])
/** Keywords that apply to the same value. */
const IN_PLACE = new Set(['not', 'if', 'then', 'else'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf'])

/**
 * Copies the document's schemas for ajv without annotations, and keeps the location and the open question of each. The
 * target of an assumption's reference is a separate copy from the target of a fact's reference.
 */
export interface Views {
  viewOf(schema: Cursor): View
  originOf(view: unknown): Origin | undefined
  /** The views that other views refer to, by name. */
  readonly named: ReadonlyMap<string, View>
  /** Returns the views that were not taken yet. */
  readonly added: [name: string, View][]
}

/** The context that a copy depends on besides its schema. */
interface Context {
  /** The names of the schemas being copied that apply to the same value. */
  readonly open: Names
  /** Properties that an enclosing schema makes optional. */
  readonly optional: Names
  readonly scope: Scope
}

const START: Context = { open: new Set(), optional: new Set(), scope: new Map() }

/** Creates the views of one document for one direction. */
export function createViews(root: Cursor, direction?: Direction): Views {
  const origins = new WeakMap<View, Origin>()
  const named = new Map<string, View>()
  const added: [string, View][] = []
  const optional = optionalOf(root, direction)
  return {
    viewOf: (schema) => copy(schema, START),
    originOf: (view) => (isNode(view) ? origins.get(view) : undefined),
    named,
    added,
  }

  function copy(schema: Cursor, around: Context): View {
    if (schema.node === true) return {}
    if (schema.node === false) return refusal(schema, { ...placeOf(schema), keyword: 'false' })
    if (!isNode(schema.node)) throw new ContractError(schema.pointer, 'schema', 'must be a schema')
    const context = { ...around, scope: entered(root, schema, around.scope) }
    const choices = choicesOf(schema, context)
    const keywords = Object.keys(schema.node).filter((it) => choices.every(({ keyword }) => keyword !== it))
    const plain = Object.fromEntries(keywords.flatMap((keyword) => entriesOf(schema, keyword, context)))
    const chosen = choices.map((choice) => choiceView(choice, inner(schema, context)))
    const view = withParts(schema, { ...plain, ...allOf(plain, ...chosen) }, context)
    origins.set(view, { schema })
    return view
  }

  function entriesOf(schema: Cursor, keyword: string, context: Context): [string, unknown][] {
    const at = child(schema, keyword)
    if (!at) return []
    if (keyword === '$ref') return [['$ref', nameOf(target(root, schema, keyword), inner(schema, context))]]
    if (PLAIN.has(keyword)) return [[keyword, at.node]]
    if (ONE.has(keyword))
      return [[keyword, isReportedByAjv(schema, keyword, at) ? at.node : copy(at, below(context))]]
    if (IN_PLACE.has(keyword)) return [[keyword, copy(at, inner(schema, context))]]
    if (LISTS.has(keyword))
      return [[keyword, children(at).map(([, part]) => copy(part, inner(schema, context)))]]
    if (keyword === 'prefixItems')
      return [[keyword, children(at).map(([, part]) => copy(part, below(context)))]]
    return byName(schema, at, keyword, context)
  }

  function byName(schema: Cursor, at: Cursor, keyword: string, context: Context): [string, unknown][] {
    if (keyword === 'properties' || keyword === 'patternProperties')
      return [[keyword, mapped(at, (part) => copy(part, below(context)))]]
    if (keyword === 'dependentSchemas')
      return [[keyword, mapped(at, (part) => copy(part, inner(schema, context)))]]
    if (keyword === 'required') return [[keyword, needed(at.node, schema, context)]]
    if (keyword === 'dependentRequired')
      return [[keyword, mapped(at, ({ node }) => needed(node, schema, context))]]
    return keyword === 'enum' ? [[keyword, at.node]] : []
  }

  /** The context of the schemas that a schema applies to the same value. */
  function inner(schema: Cursor, context: Context): Context {
    const own = optional.inner(schema)
    return own.size === 0 ? context : { ...context, optional: new Set([...context.optional, ...own]) }
  }

  function needed(names: unknown, schema: Cursor, context: Context): unknown[] {
    const own = optional.own(schema)
    return (names as string[]).filter((name) => !own.has(name) && !context.optional.has(name))
  }

  function nameOf(schema: Cursor, context: Context): string {
    const { pointer, question = '' } = schema
    const own = optional.own(schema)
    const names = [...context.optional].filter((name) => !own.has(name)).sort()
    const scope = [...context.scope].map(([name, at]) => [name, at.pointer]).sort()
    const name = `view:${encodeURIComponent(JSON.stringify([pointer, question, names, scope]))}`
    if (context.open.has(name)) throw new ContractError(pointer, '$ref', 'must not refer to itself')
    if (!named.has(name))
      add(name, () => copy(schema, { ...context, open: new Set([...context.open, name]) }))
    return name
  }

  function add(name: string, make: () => View): void {
    // Set before copying, since the schema may be recursive.
    named.set(name, {})
    try {
      const view = make()
      named.set(name, view)
      added.push([name, view])
    } catch (error) {
      named.delete(name)
      throw error
    }
  }

  /** Constraints that need more than one keyword of ajv. */
  function withParts(schema: Cursor, view: Node, context: Context): View {
    const isDynamic = typeof keywordOf(schema, '$dynamicRef') === 'string'
    const referred = isDynamic ? dynamicTarget(root, schema, context.scope) : undefined
    const whole = withProto(counted(view))
    const parts = {
      ...whole,
      ...allOf(whole, ...(referred ? [{ $ref: nameOf(referred, inner(schema, context)) }] : [])),
    }
    return withUnevaluated(
      schema,
      withUnevaluated(schema, parts, 'unevaluatedItems'),
      'unevaluatedProperties',
    )
  }

  function withUnevaluated(schema: Cursor, view: Node, keyword: Keyword): Node {
    const { [keyword]: rest, ...beside } = view
    if (rest === undefined) return view
    const unevaluated: Unevaluated = { keyword, beside, rest: rest === false ? { not: {} } : Object(rest) }
    const part = { unevaluated }
    origins.set(part, { schema })
    return { ...beside, ...allOf(beside, part) }
  }

  function choicesOf(schema: Cursor, context: Context): Choice[] {
    const keywords = (['oneOf', 'anyOf'] as const).filter((keyword) => child(schema, keyword))
    const choices = keywords.flatMap((keyword) => choiceOf(root, schema, keyword) ?? [])
    return choices.filter(({ groups }) => !groups.some((group) => isOptional(group, context)))
  }

  function choiceView(choice: Choice, context: Context): View {
    const types = choice.groups.flatMap((group) => group.types)
    const cases = choice.groups.map((group) => when({ type: group.types }, groupView(choice, group, context)))
    const refused = refusal(choice.schema, { ...placeOfChoice(choice, false), types })
    return when({ type: types }, { allOf: cases }, refused)
  }

  function groupView(choice: Choice, { branches, tag }: Group, context: Context): View {
    const views = branches.map((branch) => copy(branch, context))
    if (!tag) return views[0] ?? {}
    const { property, values } = tag
    const cases = views.map((view, i) => when({ properties: { [property]: { enum: values[i] } } }, view))
    const refused = refusal(choice.schema, {
      ...placeOfChoice(choice, true),
      property,
      values: values.flat(),
    })
    const known = when({ properties: { [property]: { enum: values.flat() } } }, { allOf: cases }, refused)
    return when({ required: [property] }, known, missing(tag))
  }

  /** Whether a branch may lack the property that selects it. */
  function isOptional({ branches, tag }: Group, context: Context): boolean {
    if (!tag) return false
    return (
      context.optional.has(tag.property) || branches.some((branch) => optional.own(branch).has(tag.property))
    )
  }

  function missing({ property, required }: Tag): View {
    const view = { required: [property] }
    origins.set(view, { schema: required })
    return view
  }

  function refusal(schema: Cursor, replacement: Replacement): View {
    const view = { not: {} }
    origins.set(view, { schema, replacement })
    return view
  }
}

/** Whether ajv reports a `false` schema at the keyword itself. */
function isReportedByAjv(schema: Cursor, keyword: string, { node }: Cursor): boolean {
  if (keyword === 'items' && keywordOf(schema, 'prefixItems') === undefined) return false
  return (
    typeof node === 'boolean' &&
    ['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'].includes(keyword)
  )
}

/** Extends `allOf` of a view. */
function allOf(view: Node, ...more: readonly View[]): Node {
  return more.length > 0 ? { allOf: [...((view.allOf as View[] | undefined) ?? []), ...more] } : {}
}

/** ajv ignores a property named `__proto__`, so it is matched by a pattern replacement. */
function withProto(view: Node): Node {
  if (!isNode(view.properties) || !Object.hasOwn(view.properties, '__proto__')) return view
  const { ['__proto__']: own, ...properties } = view.properties
  const patterns = view.patternProperties as Node | undefined
  return { ...view, properties, patternProperties: { ...patterns, '^(?:__proto__)$': own } }
}

/** Without `maxContains`, ajv reuses the result of the previous array for an empty one. */
function counted(view: Node): Node {
  return 'contains' in view && !('maxContains' in view)
    ? { ...view, maxContains: Number.MAX_SAFE_INTEGER }
    : view
}

function mapped(at: Cursor, of: (part: Cursor) => unknown): object {
  return Object.fromEntries(children(at).map(([name, part]) => [name, of(part)]))
}

/** The context of a property or item schema: a new context with the same scope. */
function below({ scope }: Context): Context {
  return { ...START, scope }
}

function when(test: View, then: View, otherwise?: View): View {
  return { if: test, then, ...(otherwise && { else: otherwise }) }
}

function placeOf({ pointer, question }: Cursor) {
  return { pointer, question }
}

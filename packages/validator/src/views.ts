import { type Choice, choiceOf, type Group, placeOfChoice, type Tag } from './choice.ts'
import { ContractError } from './contract-error.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { type Direction, type Names, optionalOf } from './direction.ts'
import { isNode, type Node } from './json.ts'
import { dynamicTarget, entered, type Scope, target } from './reference.ts'
import type { Keyword, Unevaluated } from './unevaluated.ts'

/** What a schema that ajv compiles stands for. */
export interface Origin {
  readonly schema: Cursor
  /** Set where the schema is one of ours, which says in the place of a keyword what is wrong. */
  readonly instead?: Instead
}

/** How a finding reads that stands for errors of ajv. */
export interface Instead {
  readonly keyword: string
  readonly pointer: string
  readonly question: string | undefined
  /** The member that is meant, of the value. */
  readonly member?: string
  /** The types or the values that are expected: none, if there is nothing that would do. */
  readonly types?: readonly string[]
  readonly values?: readonly unknown[]
}

/** A schema of the document as ajv compiles it. */
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
/** These apply to the very value. */
const IN_PLACE = new Set(['not', 'if', 'then', 'else'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf'])

/**
 * Copies of the document's schemas for ajv: without annotations, each with the place that it comes from and the question
 * that it answers. What an assumption refers to is copied apart from what a fact refers to.
 */
export interface Views {
  viewOf(schema: Cursor): View
  originOf(view: unknown): Origin | undefined
  /** The views that others refer to, by name. */
  readonly named: ReadonlyMap<string, View>
  /** Those that nobody has taken yet. */
  readonly added: [name: string, View][]
}

/** What a copy depends on besides its schema. */
interface Context {
  /** The names of the schemas being copied that apply to the same value. */
  readonly open: Names
  /** Properties that a schema around does not require, whatever this one says. */
  readonly optional: Names
  readonly scope: Scope
}

const START: Context = { open: new Set(), optional: new Set(), scope: new Map() }

/** Views of the schemas of one document, for values that go in one direction. */
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
      return [[keyword, isToldByName(schema, keyword, at) ? at.node : copy(at, below(context))]]
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

  /** The context of the schemas that one applies to the very value. */
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
    if (context.open.has(name)) throw new ContractError(pointer, '$ref', 'must not be made of itself')
    if (!named.has(name))
      add(name, () => copy(schema, { ...context, open: new Set([...context.open, name]) }))
    return name
  }

  function add(name: string, make: () => View): void {
    // Set before it is copied, because it may hold itself further down.
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

  /** What one keyword of ajv cannot say. */
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
    const { member, values } = tag
    const cases = views.map((view, i) => when({ properties: { [member]: { enum: values[i] } } }, view))
    const refused = refusal(choice.schema, { ...placeOfChoice(choice, true), member, values: values.flat() })
    const known = when({ properties: { [member]: { enum: values.flat() } } }, { allOf: cases }, refused)
    return when({ required: [member] }, known, missing(tag))
  }

  /** Whether a branch can be without the property that tells it apart. */
  function isOptional({ branches, tag }: Group, context: Context): boolean {
    if (!tag) return false
    return context.optional.has(tag.member) || branches.some((branch) => optional.own(branch).has(tag.member))
  }

  function missing({ member, required }: Tag): View {
    const view = { required: [member] }
    origins.set(view, { schema: required })
    return view
  }

  function refusal(schema: Cursor, instead: Instead): View {
    const view = { not: {} }
    origins.set(view, { schema, instead })
    return view
  }
}

/** What these refuse outright, ajv tells at the keyword itself. */
function isToldByName(schema: Cursor, keyword: string, { node }: Cursor): boolean {
  if (keyword === 'items' && keywordOf(schema, 'prefixItems') === undefined) return false
  return (
    typeof node === 'boolean' &&
    ['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'].includes(keyword)
  )
}

/** `allOf` of a view, with more. */
function allOf(view: Node, ...more: readonly View[]): Node {
  return more.length > 0 ? { allOf: [...((view.allOf as View[] | undefined) ?? []), ...more] } : {}
}

/** ajv passes over a property of this name, and so a wrong value would be right. */
function withProto(view: Node): Node {
  if (!isNode(view.properties) || !Object.hasOwn(view.properties, '__proto__')) return view
  const { ['__proto__']: own, ...properties } = view.properties
  const patterns = view.patternProperties as Node | undefined
  return { ...view, properties, patternProperties: { ...patterns, '^(?:__proto__)$': own } }
}

/** Where it need not count, ajv takes an empty list for what the list before it was, and so a wrong one for right. */
function counted(view: Node): Node {
  return 'contains' in view && !('maxContains' in view)
    ? { ...view, maxContains: Number.MAX_SAFE_INTEGER }
    : view
}

function mapped(at: Cursor, of: (part: Cursor) => unknown): object {
  return Object.fromEntries(children(at).map(([name, part]) => [name, of(part)]))
}

/** The context of a schema for a property or an item: it starts again, apart from the scope. */
function below({ scope }: Context): Context {
  return { ...START, scope }
}

function when(test: View, then: View, otherwise?: View): View {
  return { if: test, then, ...(otherwise && { else: otherwise }) }
}

function placeOf({ pointer, question }: Cursor) {
  return { pointer, question }
}

import { type Choice, choiceOf, type Group, placeOfChoice, type Tag } from './choice.ts'
import { ContractError } from './contract-error.ts'
import { type Cursor, child, children } from './cursor.ts'
import { isNode, type Node } from './json.ts'
import { target } from './reference.ts'

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
  `type const enum maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems maxProperties
   minProperties pattern format required`.split(/\s+/),
)

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

/** The names of the schemas being copied that apply to the same value. */
type Open = ReadonlySet<string>
const NONE: Open = new Set()

/** Creates the views of one document. */
export function createViews(root: Cursor): Views {
  const origins = new WeakMap<View, Origin>()
  const named = new Map<string, View>()
  const added: [string, View][] = []
  return {
    viewOf: (schema) => copy(schema, NONE),
    originOf: (view) => (isNode(view) ? origins.get(view) : undefined),
    named,
    added,
  }

  function copy(schema: Cursor, open: Open): View {
    if (schema.node === true) return {}
    if (schema.node === false) return refusal(schema, { ...placeOf(schema), keyword: 'false' })
    if (!isNode(schema.node)) throw new ContractError(schema.pointer, 'schema', 'must be a schema')
    const choices = (['oneOf', 'anyOf'] as const).flatMap((keyword) => choiceOf(root, schema, keyword) ?? [])
    const keywords = Object.keys(schema.node).filter((it) => choices.every(({ keyword }) => keyword !== it))
    const plain = Object.fromEntries(keywords.flatMap((keyword) => entriesOf(schema, keyword, open)))
    const chosen = choices.map((choice) => choiceView(choice, open))
    const view = withProto({ ...plain, ...allOf(plain, ...chosen) })
    origins.set(view, { schema })
    return view
  }

  function entriesOf(schema: Cursor, keyword: string, open: Open): [string, unknown][] {
    const at = child(schema, keyword)
    if (!at) return []
    const parts = children(at).map(([name, part]) => [name, part] as const)
    if (PLAIN.has(keyword)) return [[keyword, at.node]]
    if (keyword === '$ref') return [[keyword, nameOf(target(root, schema), open)]]
    if (keyword === 'properties')
      return [[keyword, Object.fromEntries(parts.map(([name, part]) => [name, copy(part, NONE)]))]]
    if (['allOf', 'anyOf', 'oneOf'].includes(keyword))
      return [[keyword, parts.map(([, part]) => copy(part, open))]]
    if (keyword === 'items') return [[keyword, copy(at, NONE)]]
    // ajv itself reports a boolean at the keyword, with the name of the property.
    if (keyword === 'additionalProperties')
      return [[keyword, typeof at.node === 'boolean' ? at.node : copy(at, NONE)]]
    return []
  }

  function nameOf(schema: Cursor, open: Open): string {
    const { pointer, question = '' } = schema
    const name = `view:${encodeURIComponent(JSON.stringify([pointer, question]))}`
    if (open.has(name)) throw new ContractError(pointer, '$ref', 'must not refer to itself')
    if (!named.has(name)) add(name, () => copy(schema, new Set([...open, name])))
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

  function choiceView(choice: Choice, open: Open): View {
    const types = choice.groups.flatMap((group) => group.types)
    const cases = choice.groups.map((group) => when({ type: group.types }, groupView(choice, group, open)))
    const refused = refusal(choice.schema, { ...placeOfChoice(choice, false), types })
    return when({ type: types }, { allOf: cases }, refused)
  }

  function groupView(choice: Choice, { branches, tag }: Group, open: Open): View {
    const views = branches.map((branch) => copy(branch, open))
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

/** Extends `allOf` of a view. */
function allOf(view: Node, ...more: readonly View[]): Node {
  return more.length > 0 ? { allOf: [...((view.allOf as View[] | undefined) ?? []), ...more] } : {}
}

/** ajv ignores a property named `__proto__`, so it is matched by a pattern. */
function withProto(view: Node): Node {
  if (!isNode(view.properties) || !Object.hasOwn(view.properties, '__proto__')) return view
  const { ['__proto__']: own, ...properties } = view.properties
  return { ...view, properties, patternProperties: { '^(?:__proto__)$': own } }
}

function when(test: View, then: View, otherwise?: View): View {
  return { if: test, then, ...(otherwise && { else: otherwise }) }
}

function placeOf({ pointer, question }: Cursor) {
  return { pointer, question }
}

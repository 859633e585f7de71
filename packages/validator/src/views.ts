import { type Choice, choiceOf, type Group, placeOfChoice, type Tag } from './choice.ts'
import { ContractError } from './contract-error.ts'
import { type Cursor, child, children, keywordOf, target } from './cursor.ts'
import { isNode, type Node } from './json.ts'

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
  `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems
   minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired format`.split(
    /\s+/,
  ),
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
const MAPS = new Set(['properties', 'patternProperties'])

/**
 * Copies of the document's schemas for ajv: without annotations, each telling where it comes from and which
 * question it answers. What an answer of ours refers to is copied apart from what a fact refers to.
 */
export interface Views {
  viewOf(schema: Cursor): View
  originOf(view: unknown): Origin | undefined
  /** The views that others refer to, by name. */
  readonly named: ReadonlyMap<string, View>
}

/** Views of the schemas of one document. */
export function createViews(root: Cursor): Views {
  const origins = new WeakMap<View, Origin>()
  const named = new Map<string, View>()
  return {
    viewOf: (schema) => copy(schema, new Set()),
    originOf: (view) => (isNode(view) ? origins.get(view) : undefined),
    named,
  }

  /** `open` are the names of what is being copied in the place of the very value. */
  function copy(schema: Cursor, open: ReadonlySet<string>): View {
    if (schema.node === true) return {}
    if (schema.node === false) return refusal(schema, { ...placeOf(schema), keyword: 'false' })
    if (!isNode(schema.node)) throw new ContractError(schema.pointer, 'must be a schema')
    const entries = Object.keys(schema.node).flatMap((keyword) => entriesOf(schema, keyword, open))
    const view = withChoices(schema, counted(Object.fromEntries(entries)), open)
    origins.set(view, { schema })
    return view
  }

  function entriesOf(schema: Cursor, keyword: string, open: ReadonlySet<string>): [string, unknown][] {
    const at = child(schema, keyword)
    if (!at) return []
    if (keyword === '$ref') return [['$ref', nameOf(target(root, schema, String(at.node)), open)]]
    if (keyword === 'pattern') return [[keyword, patternAt(at, at.node)]]
    if (PLAIN.has(keyword)) return [[keyword, at.node]]
    if (ONE.has(keyword))
      return [[keyword, isToldByName(schema, keyword, at) ? at.node : copy(at, new Set())]]
    if (IN_PLACE.has(keyword)) return [[keyword, copy(at, open)]]
    return structured(at, keyword, open)
  }

  function structured(at: Cursor, keyword: string, open: ReadonlySet<string>): [string, unknown][] {
    const parts = children(at)
    if (LISTS.has(keyword)) return [[keyword, parts.map(([, part]) => copy(part, open))]]
    if (keyword === 'prefixItems') return [[keyword, parts.map(([, part]) => copy(part, new Set()))]]
    if (keyword === 'dependentSchemas')
      return [[keyword, Object.fromEntries(parts.map(([name, part]) => [name, copy(part, open)]))]]
    if (!MAPS.has(keyword)) return []
    // ajv passes over it, and so a wrong value would be right.
    if (parts.some(([name]) => name === '__proto__'))
      throw new ContractError(at.pointer, 'must not name __proto__')
    if (keyword === 'patternProperties') for (const [name, part] of parts) patternAt(part, name)
    return [[keyword, Object.fromEntries(parts.map(([name, part]) => [name, copy(part, new Set())]))]]
  }

  function nameOf(schema: Cursor, open: ReadonlySet<string>): string {
    const name = `view:${encodeURIComponent(`${schema.pointer} ${schema.question ?? ''}`)}`
    if (open.has(name)) throw new ContractError(schema.pointer, 'must not be made of itself')
    if (!named.has(name)) {
      // Set before it is copied, because it may hold itself further down.
      named.set(name, {})
      named.set(name, copy(schema, new Set([...open, name])))
    }
    return name
  }

  function withChoices(schema: Cursor, view: Node, open: ReadonlySet<string>): View {
    let chosen = view
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const choice = keyword in view ? choiceOf(root, schema, keyword) : undefined
      if (!choice) continue
      const { [keyword]: _, allOf = [], ...rest } = chosen
      chosen = { ...rest, allOf: [...(allOf as View[]), choiceView(choice, open)] }
    }
    return chosen
  }

  function choiceView(choice: Choice, open: ReadonlySet<string>): View {
    const types = choice.groups.flatMap((group) => group.types)
    const cases = choice.groups.map((group) => when({ type: group.types }, groupView(choice, group, open)))
    const refused = refusal(choice.schema, { ...placeOfChoice(choice, false), types })
    return when({ type: types }, { allOf: cases }, refused)
  }

  function groupView(choice: Choice, { branches, tag }: Group, open: ReadonlySet<string>): View {
    const views = branches.map((branch) => copy(branch, open))
    if (!tag) return views[0] ?? {}
    const { member, values } = tag
    const cases = views.map((view, i) => when({ properties: { [member]: { enum: values[i] } } }, view))
    const refused = refusal(choice.schema, { ...placeOfChoice(choice, true), member, values: values.flat() })
    const known = when({ properties: { [member]: { enum: values.flat() } } }, { allOf: cases }, refused)
    return when({ required: [member] }, known, missing(tag))
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

/** Where it need not count, ajv takes an empty list for what the list before it was, and so a wrong one for right. */
function counted(view: Node): Node {
  return 'contains' in view && !('maxContains' in view)
    ? { ...view, maxContains: Number.MAX_SAFE_INTEGER }
    : view
}

function when(test: View, then: View, otherwise?: View): View {
  return { if: test, then, ...(otherwise && { else: otherwise }) }
}

function placeOf({ pointer, question }: Cursor) {
  return { pointer, question }
}

function patternAt({ pointer }: Cursor, pattern: unknown): string {
  const text = String(pattern)
  if (!regExpOf(text)) throw new ContractError(pointer, `must be a regular expression, got ${text}`)
  return text
}

/** By Unicode, as JSON Schema asks; else as a document means that escapes more than Unicode's syntax allows. */
export function regExpOf(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {}
  }
  return undefined
}

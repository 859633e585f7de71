import { type Choice, choicesOf, placeOfChoice } from './choice.ts'
import { type Cursor, child, children, target } from './cursor.ts'
import { ContractError } from './document.ts'
import { isNode } from './json.ts'

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
  /** The expected types or values; absent if nothing is allowed. */
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
 * Copies the document's schemas for ajv without annotations, and keeps the location and the open
 * question of each. The target of an assumption's reference is a separate copy from the target of a
 * fact's reference.
 */
export interface Views {
  viewOf(schema: Cursor): View
  originOf(view: unknown): Origin | undefined
  /** The views that other views refer to by name, until they are taken. */
  readonly added: [name: string, View][]
}

/** The names of the schemas being copied that apply to the same value. */
type Open = ReadonlySet<string>
const NONE: Open = new Set()

/** Creates the views of one document. */
export function createViews(root: Cursor): Views {
  const origins = new WeakMap<View, Origin>()
  const names = new Set<string>()
  const added: [string, View][] = []
  return {
    viewOf: (schema) => copy(schema, NONE),
    originOf: (view) => (isNode(view) ? origins.get(view) : undefined),
    added,
  }

  function copy(schema: Cursor, open: Open): View {
    const { node, pointer, question } = schema
    if (node === true) return {}
    if (node === false) return refusal(schema, { pointer, question, keyword: 'false' })
    if (!isNode(node)) throw new ContractError(pointer, 'must be a schema')
    const plain = Object.fromEntries(
      Object.keys(node).flatMap((keyword) => entriesOf(schema, keyword, open)),
    )
    const chosen = choicesOf(root, schema).map((choice) => choiceView(choice, open))
    const view =
      chosen.length > 0
        ? { ...plain, allOf: [...((plain.allOf as View[] | undefined) ?? []), ...chosen] }
        : plain
    origins.set(view, { schema })
    return view
  }

  function entriesOf(schema: Cursor, keyword: string, open: Open): [string, unknown][] {
    const at = child(schema, keyword)
    if (!at) return []
    if (PLAIN.has(keyword)) return [[keyword, at.node]]
    if (keyword === '$ref') return [[keyword, nameOf(target(root, schema), open)]]
    if (keyword === 'properties')
      return [
        [keyword, Object.fromEntries(children(at).map(([name, part]) => [name, copy(part, NONE)]))],
      ]
    if (keyword === 'allOf') return [[keyword, children(at).map(([, part]) => copy(part, open))]]
    if (keyword === 'items') return [[keyword, copy(at, NONE)]]
    // ajv itself reports a boolean at the keyword, with the name of the property.
    if (keyword === 'additionalProperties')
      return [[keyword, typeof at.node === 'boolean' ? at.node : copy(at, NONE)]]
    return []
  }

  function nameOf(schema: Cursor, open: Open): string {
    const { pointer, question = '' } = schema
    const name = `view:${encodeURIComponent(JSON.stringify([pointer, question]))}`
    if (open.has(name)) throw new ContractError(pointer, 'must not refer to itself')
    if (names.has(name)) return name
    // Set before copying, since the schema may be recursive.
    names.add(name)
    added.push([name, copy(schema, new Set([...open, name]))])
    return name
  }

  function choiceView(choice: Choice, open: Open): View {
    const { schema, keyword, branches, tag } = choice
    const views = branches.map((branch) => copy(branch.schema, open))
    const types = [...new Set(branches.flatMap((branch) => branch.types))]
    const otherType = refusal(schema, { ...placeOfChoice(choice, keyword), types })
    if (!tag) {
      const cases = views.map((view, i) => when({ type: branches[i]?.types }, view))
      return when({ type: types }, { allOf: cases }, otherType)
    }
    const { property, required } = tag
    const values = branches.map(({ value }) => value)
    const cases = views.map((view, i) =>
      when({ properties: { [property]: { const: values[i] } } }, view),
    )
    const otherValue = refusal(schema, {
      ...placeOfChoice(choice, 'discriminator'),
      property,
      values,
    })
    const known = when(
      { properties: { [property]: { enum: values } } },
      { allOf: cases },
      otherValue,
    )
    const missing = { required: [property] }
    origins.set(missing, { schema: required })
    return when({ type: types }, when({ required: [property] }, known, missing), otherType)
  }

  function refusal(schema: Cursor, replacement: Replacement): View {
    const view = { not: {} }
    origins.set(view, { schema, replacement })
    return view
  }
}

function when(test: View, then: View, otherwise?: View): View {
  return { if: test, then, ...(otherwise && { else: otherwise }) }
}

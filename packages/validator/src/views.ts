import { type Branch, type Choice, citeChoice, readChoices } from './choice.ts'
import { type Cursor, findChild, listChildren, listItems, requireTarget } from './cursor.ts'
import { ContractError } from './document.ts'
import { isObjectOrArray } from './json.ts'

/** The schema of the document from which a view was made. */
export interface ViewSource {
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

/** A view that other views refer to by its name. */
export interface NamedView {
  readonly name: string
  readonly view: View
}

/**
 * Copies the document's schemas for ajv without annotations, and keeps the location and the open
 * question of each. The target of an assumption's reference is a separate copy from the target of a
 * fact's reference.
 */
export interface Views {
  createView(schema: Cursor): View
  /** The schema of a view that ajv reports; each of them has one. */
  requireSource(view: unknown): ViewSource
  /** The views that other views refer to by name, and that were not taken before. */
  takeNamedViews(): NamedView[]
}

/** The keywords that ajv gets as they are, since their value contains no schema. */
const PLAIN_KEYWORDS = new Set([
  'type',
  'const',
  'enum',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
  'pattern',
  'format',
  'required',
])

/**
 * The names of the schemas being copied that apply to the same value. A reference to one of them
 * would never end; a reference from a property or an item is a recursive schema, which ends with
 * the value.
 */
type OpenNames = ReadonlySet<string>
const NO_OPEN_NAMES: OpenNames = new Set()

/** The keywords of a view. */
interface CopiedKeywords {
  allOf?: View[]
  [keyword: string]: unknown
}

/** A branch of a choice with its view. */
type CopiedBranch = Branch & { readonly view: View }

/** Creates the views of one document. */
export function createViews(root: Cursor): Views {
  const sources = new WeakMap<View, ViewSource>()
  const copiedNames = new Set<string>()
  const added: NamedView[] = []
  return {
    createView: (schema) => copySchema(schema, NO_OPEN_NAMES),
    requireSource,
    takeNamedViews: () => added.splice(0),
  }

  function requireSource(view: unknown): ViewSource {
    const source = sources.get(view as View)
    if (!source) throw new Error('ajv reported an error of a schema that is not a view')
    return source
  }

  /**
   * The view of a schema, with views of all schemas in it. A view is what ajv compiles instead of
   * the schema. A choice (`oneOf`, `anyOf`) becomes conditions in `allOf`. Throws if the schema, or
   * one that it refers to, is invalid or refers to itself.
   *
   * @param openNames The named schemas around this one, which are still being copied.
   */
  function copySchema(schema: Cursor, openNames: OpenNames): View {
    const { node, pointer, question } = schema
    if (node === true) return {}
    if (node === false) return createImpossibleView(schema, { pointer, question, keyword: 'false' })
    if (!isObjectOrArray(node)) throw new ContractError(pointer, 'must be a schema')

    const view = copyKeywords(schema, Object.keys(node), openNames)
    for (const choice of readChoices(root, schema)) {
      view.allOf ??= []
      view.allOf.push(copyChoice(choice, openNames))
    }
    sources.set(view, { schema })
    return view
  }

  /** The keywords of a schema that ajv needs, with views of the schemas in them. */
  function copyKeywords(
    schema: Cursor,
    keywords: readonly string[],
    openNames: OpenNames,
  ): CopiedKeywords {
    const view: CopiedKeywords = {}
    for (const keyword of keywords) {
      const copy = copyKeyword(schema, keyword, openNames)
      if (copy !== undefined) view[keyword] = copy
    }
    return view
  }

  /**
   * The value of a keyword for ajv. Undefined for an annotation, and for `oneOf` and `anyOf`, which
   * become conditions.
   */
  function copyKeyword(schema: Cursor, keyword: string, openNames: OpenNames): unknown {
    const value = findChild(schema, keyword)
    if (!value) return undefined
    if (PLAIN_KEYWORDS.has(keyword)) return value.node

    switch (keyword) {
      case '$ref':
        return copyToName(requireTarget(root, schema), openNames)

      case 'allOf':
        return listItems(schema, keyword).map((part) => copySchema(part, openNames))

      // From here on: schemas of the values inside this one. They may refer to a schema around them.
      case 'properties':
        return copyProperties(value)

      case 'items':
        return copySchema(value, NO_OPEN_NAMES)

      case 'additionalProperties':
        // ajv itself reports a boolean at the keyword, with the name of the property.
        if (typeof value.node === 'boolean') return value.node
        return copySchema(value, NO_OPEN_NAMES)

      default:
        return undefined
    }
  }

  function copyProperties(properties: Cursor): Record<string, View> {
    const copies = listChildren(properties).map(([name, property]) => {
      return [name, copySchema(property, NO_OPEN_NAMES)] as const
    })
    return Object.fromEntries(copies)
  }

  /**
   * The name under which other views refer to the view of a schema (`$ref`). Copies the schema
   * unless it was copied before.
   */
  function copyToName(schema: Cursor, openNames: OpenNames): string {
    const { pointer, question = '' } = schema
    // The question too, since an assumption has a copy of its own.
    const name = `view:${encodeURIComponent(JSON.stringify([pointer, question]))}`
    // A schema that applies itself to the same value would never end.
    if (openNames.has(name)) throw new ContractError(pointer, 'must not refer to itself')
    if (copiedNames.has(name)) return name

    // Set before copying, since the schema may be recursive.
    copiedNames.add(name)
    added.push({ name, view: copySchema(schema, new Set([...openNames, name])) })
    return name
  }

  /**
   * The view of a choice: conditions that apply the one branch which fits a value. "If the value
   * has a type of a branch, select the branch, else refuse the value." Of a string or null, it is
   * `{ if: { type: ['string', 'null'] }, then: …, else: { not: {} } }`.
   */
  function copyChoice(choice: Choice, openNames: OpenNames): View {
    const { schema, keyword, tag } = choice
    const branches = choice.branches.map((branch) => {
      return { ...branch, view: copySchema(branch.schema, openNames) }
    })

    const types = [...new Set(branches.flatMap((branch) => branch.types))]
    const selectedBranch = tag ? selectByTag(choice, tag, branches) : selectByType(branches)
    const wrongType = createImpossibleView(schema, { ...citeChoice(choice, keyword), types })
    return conditional({ type: types }, selectedBranch, wrongType)
  }

  /** For each branch: "if the value has a type of the branch, apply it". */
  function selectByType(branches: readonly CopiedBranch[]): View {
    return { allOf: branches.map(({ types, view }) => conditional({ type: types }, view)) }
  }

  /**
   * The view that selects the branch of an object by its discriminator: for each branch, "if the
   * discriminator has the constant of the branch, apply it". Refuses another value of the
   * discriminator, and an object without it.
   */
  function selectByTag(
    choice: Choice,
    { property, required }: NonNullable<Choice['tag']>,
    branches: readonly CopiedBranch[],
  ): View {
    const branchConditions = branches.map(({ value, view }) => {
      const hasThisValue = { properties: { [property]: { const: value } } }
      return conditional(hasThisValue, view)
    })

    const values = branches.map(({ value }) => value)
    const hasKnownValue = { properties: { [property]: { enum: values } } }
    const wrongValue = createImpossibleView(choice.schema, {
      ...citeChoice(choice, 'discriminator'),
      property,
      values,
    })
    const selectedBranch = conditional(hasKnownValue, { allOf: branchConditions }, wrongValue)

    const isPresent = { required: [property] }
    return conditional(isPresent, selectedBranch, createMissingView(property, required))
  }

  /**
   * The view of an object without its discriminator, which fails: its error is that of the schema that
   * requires the discriminator.
   */
  function createMissingView(property: string, required: Cursor): View {
    const view = { required: [property] }
    sources.set(view, { schema: required })
    return view
  }

  /** A view that refuses every value, with a finding in place of the error of ajv. */
  function createImpossibleView(schema: Cursor, replacement: Replacement): View {
    const view = { not: {} }
    sources.set(view, { schema, replacement })
    return view
  }
}

/** "If a value is valid by `test`, apply `then`, else `otherwise`." */
function conditional(test: View, then: View, otherwise?: View): View {
  if (!otherwise) return { if: test, then }
  return { if: test, then, else: otherwise }
}

import { pointerOf, typeOf } from '@partner-payments/text'
import {
  type Cursor,
  child,
  children,
  keywordOf,
  markOf,
  partsOf,
  questionOf,
  typesOf,
} from './cursor.ts'
import { unimplemented } from './document.ts'
import { at } from './json.ts'

/**
 * A `oneOf` or `anyOf` of which at most one branch applies to a value: by its type, or, of objects,
 * by the discriminator. Validating only that branch is fast and reports only its errors.
 */
export interface Choice {
  readonly schema: Cursor
  readonly keyword: 'oneOf' | 'anyOf'
  readonly branches: readonly Branch[]
  /** The discriminator, and the schema that requires it. */
  readonly tag?: { readonly property: string; readonly required: Cursor }
}

export interface Branch {
  readonly schema: Cursor
  readonly types: readonly string[]
  /** The value of the discriminator. */
  readonly value: unknown
}

const choices = new WeakMap<Cursor, readonly Choice[]>()

/**
 * The choices of a schema; cached.
 *
 * @throws ContractError if more than one branch could apply to a value.
 */
export function choicesOf(root: Cursor, schema: Cursor): readonly Choice[] {
  const known = choices.get(schema)
  if (known) return known
  const found = (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const all = children(child(schema, keyword)).map(([, branch]) => branch)
    return all.length > 0 ? choiceOf(root, { schema, keyword }, all) : []
  })
  choices.set(schema, found)
  return found
}

function choiceOf(
  root: Cursor,
  place: Pick<Choice, 'schema' | 'keyword'>,
  all: readonly Cursor[],
): Choice {
  const property = at(keywordOf(place.schema, 'discriminator'), 'propertyName')
  const branches = all.map((schema) => {
    const value = typeof property === 'string' ? constantOf(root, schema, property) : undefined
    return { schema, types: typesOf(root, schema) ?? [], value }
  })
  if (!areApart(branches, property !== undefined))
    throw unimplemented(
      pointerOf(place.schema.pointer, place.keyword),
      'use branches of different types, or of objects with a discriminator that is a constant of each',
    )
  const required = all[0] && typeof property === 'string' && requiring(root, all[0], property)
  return { ...place, branches, ...(required && { tag: { property, required } }) }
}

function areApart(branches: readonly Branch[], isTagged: boolean): boolean {
  // Every integer is a number.
  const types = branches.flatMap((it) => [
    ...new Set(it.types.map((type) => (type === 'integer' ? 'number' : type))),
  ])
  if (!isTagged)
    return branches.every((it) => it.types.length > 0) && new Set(types).size === types.length
  const values = new Set(branches.map(({ value }) => value))
  return (
    types.every((type) => type === 'object') &&
    !values.has(undefined) &&
    values.size === branches.length
  )
}

/** The constant of a required property; undefined if it has none. */
function constantOf(root: Cursor, branch: Cursor, property: string): unknown {
  if (!requiring(root, branch, property)) return undefined
  const properties = partsOf(root, branch).flatMap((part) => children(child(part, 'properties')))
  const declared = properties.filter(([name]) => name === property)
  const constants = declared
    .flatMap(([, it]) => partsOf(root, it))
    .map((part) => keywordOf(part, 'const'))
  return constants.find((it) => it !== undefined)
}

function requiring(root: Cursor, branch: Cursor, property: string): Cursor | undefined {
  return partsOf(root, branch).find((part) =>
    [keywordOf(part, 'required')].flat().includes(property),
  )
}

/** The branches that may apply to a value. */
export function branchesFor({ branches, tag }: Choice, value: unknown): readonly Cursor[] {
  const chosen = branches.filter((it) =>
    tag ? it.value === at(value, tag.property) : it.types.includes(typeOf(value)),
  )
  return (chosen.length > 0 ? chosen : branches).map(({ schema }) => schema)
}

/**
 * The location of the choice in the contract: the discriminator, or the keyword that lists the
 * branches.
 */
export function placeOfChoice(
  { schema, keyword }: Choice,
  own: 'discriminator' | 'oneOf' | 'anyOf',
) {
  const listed = questionOf(schema, keyword)
  const question = markOf(schema.node, own) ?? listed
  return { keyword: own, pointer: pointerOf(schema.pointer, own), question }
}

import { type Cursor, child, children, keywordOf, markOf, questionOf } from './cursor.ts'
import { at, pointerOf } from './json.ts'
import { partsOf, typesOf } from './resolve.ts'

/** Selects a branch of `oneOf` or `anyOf` without validating all of them. */
export interface Choice {
  readonly schema: Cursor
  readonly keyword: 'oneOf' | 'anyOf'
  readonly groups: readonly Group[]
}

/** The branches for values of some types: one branch, or several that a property distinguishes. */
export interface Group {
  readonly types: readonly string[]
  readonly branches: readonly Cursor[]
  readonly tag?: Tag
}

/** A property that every branch requires, with values that are unique to each branch. */
export interface Tag {
  readonly property: string
  /** The values of each branch. */
  readonly values: readonly (readonly unknown[])[]
  /** The schema that requires the property. */
  readonly required: Cursor
}

/**
 * Determines the branch for a value, if the schemas exclude all other branches. Validating only that branch gives the same
 * result faster and reports only its errors.
 */
export function choiceOf(root: Cursor, schema: Cursor, keyword: 'oneOf' | 'anyOf'): Choice | undefined {
  const branches = children(child(schema, keyword)).map(([, branch]) => branch)
  if (branches.length === 0) return undefined
  const groups = groupsOf(root, branches)
  if (!groups || !areApart(groups)) return undefined
  const tagged = groups.map((group) => withTag(root, group, discriminatorOf(schema)))
  return tagged.every((group) => group !== undefined) ? { schema, keyword, groups: tagged } : undefined
}

/** The property that OpenAPI's discriminator names. */
export function discriminatorOf(schema: Cursor): string | undefined {
  const name = at(keywordOf(schema, 'discriminator'), 'propertyName')
  return typeof name === 'string' ? name : undefined
}

/** The location of the choice in the contract: the discriminator, or the keyword that lists the branches. */
export function placeOfChoice({ schema, keyword }: Choice, byMember: boolean) {
  const own = byMember && discriminatorOf(schema) !== undefined ? 'discriminator' : keyword
  const listed = markOf(schema.node, keyword)
  const question =
    own === keyword ? questionOf(schema, keyword) : (markOf(schema.node, own) ?? listed ?? schema.question)
  return { keyword: own, pointer: pointerOf(schema.pointer, own), question }
}

function groupsOf(root: Cursor, branches: readonly Cursor[]): Group[] | undefined {
  const groups = new Map<string, { types: readonly string[]; branches: Cursor[] }>()
  for (const branch of branches) {
    const types = ownTypes(root, branch)
    if (!types) return undefined
    const key = types.toSorted().join()
    const group = groups.get(key) ?? { types, branches: [] }
    group.branches.push(branch)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** The types that a branch states. An `enum` or a nested choice may allow fewer. */
function ownTypes(root: Cursor, branch: Cursor): readonly string[] | undefined {
  const stating = partsOf(root, branch).find((part) => keywordOf(part, 'type') !== undefined)
  return stating && typesOf(root, stating)
}

function areApart(groups: readonly Group[]): boolean {
  // Every integer is a number.
  const types = groups.flatMap((group) => [
    ...new Set(group.types.map((it) => (it === 'integer' ? 'number' : it))),
  ])
  return new Set(types).size === types.length
}

function withTag(root: Cursor, group: Group, discriminator: string | undefined): Group | undefined {
  if (group.branches.length === 1) return group
  if (group.types.join() !== 'object') return undefined
  const names = discriminator === undefined ? candidates(root, group.branches[0]) : [discriminator]
  const tag = names.map((name) => tagOf(root, group.branches, name)).find(Boolean)
  return tag && { ...group, tag }
}

function candidates(root: Cursor, branch: Cursor | undefined): string[] {
  const required = branch ? partsOf(root, branch).map((part) => keywordOf(part, 'required')) : []
  return required.flat().filter((name) => typeof name === 'string')
}

function tagOf(root: Cursor, branches: readonly Cursor[], property: string): Tag | undefined {
  const values = branches.map((branch) => constantsOf(root, branch, property))
  const all = values.flatMap((it) => it ?? [])
  const required = branches[0] && requiring(root, branches[0], property)
  const apart = values.every(Boolean) && new Set(all).size === all.length
  if (!apart || !required || !branches.every((branch) => requiring(root, branch, property))) return undefined
  return { property, values: values.map((it) => it ?? []), required }
}

function requiring(root: Cursor, branch: Cursor, property: string): Cursor | undefined {
  return partsOf(root, branch).find((part) => [keywordOf(part, 'required')].flat().includes(property))
}

/** The `const` or `enum` values of a property in a branch, if all are scalar. */
function constantsOf(root: Cursor, branch: Cursor, property: string): readonly unknown[] | undefined {
  const properties = partsOf(root, branch).map((part) => child(part, 'properties'))
  const declarations = properties.flatMap((it) => (it ? (child(it, property) ?? []) : []))
  for (const part of declarations.flatMap((it) => partsOf(root, it))) {
    const only = keywordOf(part, 'const')
    const values = only === undefined ? keywordOf(part, 'enum') : [only]
    if (Array.isArray(values) && values.every((it) => typeof it !== 'object')) return values
  }
  return undefined
}

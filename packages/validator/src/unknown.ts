import { type Choice, choiceOf, type Group } from './choice.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { at, isNode, pointerOf } from './json.ts'
import { partsOf, typeOf } from './resolve.ts'
import type { Seat } from './schema.ts'
import { regExpOf } from './views.ts'

/** The members of a value, at any depth, that its schema does not mention. Free-form objects have none. */
export function unknownMembers(
  root: Cursor,
  schema: Cursor,
  value: unknown,
  seat: Seat,
  limit: number,
): Finding[] {
  const found: Finding[] = []
  walk([schema], value, seat.pointer)
  return found

  function walk(schemas: readonly Cursor[], it: unknown, pointer: string): void {
    if (!isNode(it) || schemas.length === 0) return
    const parts = schemas.flatMap((part) => inPlace(root, part, it))
    for (const key of Object.keys(it)) {
      if (found.length >= limit) return
      const own = parts.flatMap((part) => membersOf(part, it, key))
      const isKnown = own.length > 0 || Array.isArray(it) || !isClosed(parts)
      if (isKnown && !isNode(it[key])) continue
      const next = pointerOf(pointer, key)
      if (isKnown) walk(own, it[key], next)
      else found.push(unknownAt({ ...seat, pointer: next }, parts))
    }
  }
}

/** The schemas that apply to the very value: of a choice those that are meant, or all where that cannot be told. */
function inPlace(root: Cursor, schema: Cursor, value: unknown): Cursor[] {
  return partsOf(root, schema).flatMap((part) => {
    const { branches, choices } = besideOf(root, part)
    if (branches.length + choices.length === 0) return part
    const meant = choices.flatMap((choice) => meantOf(choice, value))
    return [part, ...[...meant, ...branches].flatMap((branch) => inPlace(root, branch, value))]
  })
}

/** What a schema says of the very value beside its own keywords, and may or may not hold. */
interface Beside {
  readonly branches: readonly Cursor[]
  readonly choices: readonly Either[]
}

/** The branches of a choice, and how to tell them apart, if they can be. */
interface Either {
  readonly all: readonly Cursor[]
  readonly choice: Choice | undefined
}

const beside = new WeakMap<Cursor, Beside>()

function besideOf(root: Cursor, schema: Cursor): Beside {
  const known = beside.get(schema)
  if (known) return known
  const conditional = ['if', 'then', 'else'].flatMap((keyword) => child(schema, keyword) ?? [])
  const dependent = childrenOf(schema, 'dependentSchemas')
  const choices = (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const all = childrenOf(schema, keyword)
    return all.length > 0 ? { all, choice: choiceOf(root, schema, keyword) } : []
  })
  const found = { branches: [...conditional, ...dependent], choices }
  beside.set(schema, found)
  return found
}

function meantOf({ all, choice }: Either, value: unknown): readonly Cursor[] {
  if (!choice) return all
  const group = choice.groups.find(({ types }) => types.includes(typeOf(value)))
  return group ? branchesOf(group, value) : []
}

function branchesOf({ branches, tag }: Group, value: unknown): readonly Cursor[] {
  const tagged = tag?.values.findIndex((values) => values.includes(at(value, tag.member))) ?? -1
  return tagged < 0 ? branches : branches.slice(tagged, tagged + 1)
}

/** The schemas of a member, or of an item. */
function membersOf(part: Cursor, value: object, key: string): Cursor[] {
  if (Array.isArray(value)) {
    const first = child(part, 'prefixItems')
    const own = (first && child(first, key)) ?? child(part, 'items')
    return own ? [own] : []
  }
  const properties = child(part, 'properties')
  const named = properties && child(properties, key)
  if (named && keywordOf(part, 'patternProperties') === undefined) return [named]
  const matching = children(child(part, 'patternProperties')).filter(([it]) => regExpOf(it)?.test(key))
  const found = [...(named ? [named] : []), ...matching.map(([, it]) => it)]
  if (found.length > 0) return found
  const others = [child(part, 'additionalProperties'), child(part, 'unevaluatedProperties')]
  return others.filter((it): it is Cursor => it !== undefined)
}

/** Whether some part of the schema lists members, so that others are unknown. */
function isClosed(parts: readonly Cursor[]): boolean {
  return parts.some((part) => keywordOf(part, 'properties') !== undefined)
}

function childrenOf(schema: Cursor, keyword: string): Cursor[] {
  return children(child(schema, keyword)).map(([, it]) => it)
}

function unknownAt(seat: Seat, parts: readonly Cursor[]): Finding {
  const listing = parts.find((part) => keywordOf(part, 'properties') !== undefined)
  const contract = `${listing?.pointer ?? ''}/properties`
  return finding(
    { ...seat, contract, keyword: 'unknown', message: 'not mentioned by the contract' },
    listing?.question,
  )
}

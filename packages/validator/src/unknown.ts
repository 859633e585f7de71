import type { Group } from './choice.ts'
import { type Cursor, keywordOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { at, isNode, pointerOf } from './json.ts'
import { type Either, type Layout, layoutOf } from './layout.ts'
import { partsOf, typeOf } from './resolve.ts'
import type { Seat } from './schema.ts'

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
    const layouts = parts.map((part) => layoutOf(root, part))
    for (const key of Object.keys(it)) {
      if (found.length >= limit) return
      const own = layouts.flatMap((layout) => membersOf(layout, it, key))
      const isKnown = own.length > 0 || Array.isArray(it) || !isClosed(parts)
      if (isKnown && !isNode(it[key])) continue
      const next = pointerOf(pointer, key)
      if (isKnown) walk(own, it[key], next)
      else found.push(unknownAt({ ...seat, pointer: next }, parts))
    }
  }
}

/** The schemas that apply to the very value: of a choice those that are meant, or all where that cannot be told. */
function inPlace(root: Cursor, schema: Cursor, value: unknown): readonly Cursor[] {
  return partsOf(root, schema).flatMap((part) => {
    const { branches, choices } = layoutOf(root, part)
    if (branches.length + choices.length === 0) return part
    const meant = choices.flatMap((choice) => meantOf(choice, value))
    return [part, ...[...meant, ...branches].flatMap((branch) => inPlace(root, branch, value))]
  })
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
function membersOf(layout: Layout, value: object, key: string): readonly Cursor[] {
  if (Array.isArray(value)) return itemsOf(layout, Number(key))
  const named = layout.named.get(key) ?? []
  if (named.length > 0 && layout.patterns.length === 0) return named
  const matching = layout.patterns.filter(({ names }) => names.test(key)).map(({ schema }) => schema)
  const found = [...named, ...matching]
  return found.length > 0 ? found : layout.others
}

function itemsOf({ first, items }: Layout, index: number): readonly Cursor[] {
  return index < first.length ? first.slice(index, index + 1) : items
}

/** Whether some part of the schema lists members, so that others are unknown. */
function isClosed(parts: readonly Cursor[]): boolean {
  return parts.some((part) => keywordOf(part, 'properties') !== undefined)
}

function unknownAt(seat: Seat, parts: readonly Cursor[]): Finding {
  const listing = parts.find((part) => keywordOf(part, 'properties') !== undefined)
  const contract = `${listing?.pointer ?? ''}/properties`
  return finding(
    { ...seat, contract, keyword: 'unknown', message: 'not mentioned by the contract' },
    listing?.question,
  )
}

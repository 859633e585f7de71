import type { Group } from './choice.ts'
import type { Cursor } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { at, isNode, type Node, pointerOf } from './json.ts'
import { type Either, type Layout, layoutsOf } from './layout.ts'
import { typeOf } from './resolve.ts'
import type { Location } from './schema.ts'

/** The properties of a value, at any depth, that its schema does not declare. Ignores free-form objects. */
export function unknownProperties(
  root: Cursor,
  schema: Cursor,
  value: unknown,
  location: Location,
  limit: number,
): Finding[] {
  const found: Finding[] = []
  walk([schema], value, location.pointer)
  return found

  function walk(schemas: readonly Cursor[], it: unknown, pointer: string): void {
    if (!isNode(it) || schemas.length === 0) return
    const layouts = each(schemas, (part) => bearing(root, part, it))
    if (Array.isArray(it)) walkItems(layouts, it, pointer)
    else walkProperties(layouts, it, pointer)
  }

  function walkItems(layouts: readonly Layout[], items: readonly unknown[], pointer: string): void {
    const of = each(layouts, (layout) => layout.items)
    for (const [i, item] of items.entries()) {
      if (found.length >= limit) return
      if (isNode(item)) walk(of, item, `${pointer}/${i}`)
    }
  }

  function walkProperties(layouts: readonly Layout[], it: Node, pointer: string): void {
    for (const key of Object.keys(it)) {
      if (found.length >= limit) return
      const own = each(layouts, (layout) => propertyOf(layout, key))
      const isKnown = own.length > 0 || !layouts.some(({ isClosed }) => isClosed)
      if (!isKnown) found.push(unknownAt({ ...location, pointer: pointerOf(pointer, key) }, layouts))
      else if (isNode(it[key])) walk(own, it[key], pointerOf(pointer, key))
    }
  }
}

/** Like `flatMap`, but avoids a new array for a single element, since this runs for every property of every message. */
function each<Of, To>(list: readonly Of[], map: (item: Of) => readonly To[]): readonly To[] {
  const [only] = list
  return list.length === 1 && only !== undefined ? map(only) : list.flatMap(map)
}

/** The layouts that apply to a value: of a choice the selected branch, or all branches if none can be selected. */
function bearing(root: Cursor, schema: Cursor, value: unknown): readonly Layout[] {
  return each(layoutsOf(root, schema), (layout) => {
    const meant = each(layout.choices, (choice) => meantOf(choice, value))
    return meant.length === 0
      ? [layout]
      : [layout, ...meant.flatMap((branch) => bearing(root, branch, value))]
  })
}

function meantOf({ all, choice }: Either, value: unknown): readonly Cursor[] {
  if (!choice) return all
  const group = choice.groups.find(({ types }) => types.includes(typeOf(value)))
  return group ? branchesOf(group, value) : []
}

function branchesOf({ branches, tag }: Group, value: unknown): readonly Cursor[] {
  const tagged = tag?.values.findIndex((values) => values.includes(at(value, tag.property))) ?? -1
  return tagged < 0 ? branches : branches.slice(tagged, tagged + 1)
}

function propertyOf({ named, others }: Layout, key: string): readonly Cursor[] {
  return named.get(key) ?? others
}

function unknownAt(location: Location, layouts: readonly Layout[]): Finding {
  const { pointer = '', question } = layouts.find(({ isClosed }) => isClosed)?.schema ?? {}
  const contract = `${pointer}/properties`
  return finding(
    { ...location, contract, keyword: 'unknown', message: 'not mentioned by the contract' },
    question,
  )
}

import { pointerOf } from '@partner-payments/text'
import { branchesFor, choicesOf } from './choice.ts'
import { type Cursor, child, partsOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { isNode, type Node } from './json.ts'
import type { Location } from './schema.ts'

/**
 * The properties of a value, at any depth, that its schema does not declare. Ignores free-form
 * objects.
 */
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
    const parts = schemas.flatMap((part) => bearing(root, part, it))
    if (Array.isArray(it)) walkItems(parts, it, pointer)
    else walkProperties(parts, it, pointer)
  }

  function walkItems(parts: readonly Cursor[], items: readonly unknown[], pointer: string): void {
    const of = parts.flatMap((part) => child(part, 'items') ?? [])
    for (const [i, item] of items.entries()) {
      if (found.length >= limit) return
      if (isNode(item)) walk(of, item, `${pointer}/${i}`)
    }
  }

  function walkProperties(parts: readonly Cursor[], it: Node, pointer: string): void {
    const maps = parts.map(
      (part) => [child(part, 'properties'), child(part, 'additionalProperties')] as const,
    )
    const declared = maps.find(([named]) => named)?.[0]
    for (const key of Object.keys(it)) {
      if (found.length >= limit) return
      const own = maps.flatMap(([named, others]) => (named && child(named, key)) ?? others ?? [])
      if (own.length === 0 && declared)
        found.push(unknownAt({ ...location, pointer: pointerOf(pointer, key) }, declared))
      else if (isNode(it[key])) walk(own, it[key], pointerOf(pointer, key))
    }
  }
}

/**
 * The schemas that apply to a value: of a choice the selected branch, or all branches if none can
 * be selected.
 */
function bearing(root: Cursor, schema: Cursor, value: unknown): readonly Cursor[] {
  return partsOf(root, schema).flatMap((part) => {
    const branches = choicesOf(root, part).flatMap((choice) => branchesFor(choice, value))
    return [part, ...branches.flatMap((branch) => bearing(root, branch, value))]
  })
}

function unknownAt(location: Location, { pointer, question }: Cursor): Finding {
  const it = {
    ...location,
    contract: pointer,
    keyword: 'unknown',
    message: 'not mentioned by the contract',
  }
  return finding(it, question)
}

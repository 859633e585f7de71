import { pointerOf } from '@partner-payments/text'
import { branchesFor, type Choice, choicesOf } from './choice.ts'
import { type Cursor, child, children, partsOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { isNode, type Node } from './json.ts'
import type { Location } from './schema.ts'

/** The schemas that one schema's own keywords apply to properties, items and the value itself. */
interface Layout {
  readonly schema: Cursor
  /** Whether the schema declares properties, so that others are unknown. */
  readonly isClosed: boolean
  readonly named: ReadonlyMap<string, readonly Cursor[]>
  /** Schemas of properties that are not named. */
  readonly others: readonly Cursor[]
  readonly items: readonly Cursor[]
  readonly choices: readonly Choice[]
}

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
    const layouts = schemas.flatMap((part) => bearing(root, part, it))
    if (Array.isArray(it)) walkItems(layouts, it, pointer)
    else walkProperties(layouts, it, pointer)
  }

  function walkItems(layouts: readonly Layout[], items: readonly unknown[], pointer: string): void {
    const of = layouts.flatMap((layout) => layout.items)
    for (const [i, item] of items.entries()) {
      if (found.length >= limit) return
      if (isNode(item)) walk(of, item, `${pointer}/${i}`)
    }
  }

  function walkProperties(layouts: readonly Layout[], it: Node, pointer: string): void {
    for (const key of Object.keys(it)) {
      if (found.length >= limit) return
      const own = layouts.flatMap(({ named, others }) => named.get(key) ?? others)
      const isKnown = own.length > 0 || !layouts.some(({ isClosed }) => isClosed)
      if (!isKnown) found.push(unknownAt({ ...location, pointer: pointerOf(pointer, key) }, layouts))
      else if (isNode(it[key])) walk(own, it[key], pointerOf(pointer, key))
    }
  }
}

/** The layouts that apply to a value: of a choice the selected branch, or all branches if none can be selected. */
function bearing(root: Cursor, schema: Cursor, value: unknown): readonly Layout[] {
  return layoutsOf(root, schema).flatMap((layout) => {
    const branches = layout.choices.flatMap((choice) => branchesFor(choice, value))
    return branches.length === 0
      ? [layout]
      : [layout, ...branches.flatMap((branch) => bearing(root, branch, value))]
  })
}

const layouts = new WeakMap<Cursor, readonly Layout[]>()

/** The layouts of a schema and of all schemas that it always applies; cached. */
function layoutsOf(root: Cursor, schema: Cursor): readonly Layout[] {
  const known = layouts.get(schema) ?? partsOf(root, schema).map((part) => layoutOf(root, part))
  layouts.set(schema, known)
  return known
}

function layoutOf(root: Cursor, schema: Cursor): Layout {
  const own = (keyword: string) => [child(schema, keyword) ?? []].flat()
  return {
    schema,
    isClosed: child(schema, 'properties') !== undefined,
    named: new Map(children(child(schema, 'properties')).map(([name, it]) => [name, [it]])),
    others: own('additionalProperties'),
    items: own('items'),
    choices: choicesOf(root, schema),
  }
}

function unknownAt(location: Location, layouts: readonly Layout[]): Finding {
  const { pointer = '', question } = layouts.find(({ isClosed }) => isClosed)?.schema ?? {}
  const contract = `${pointer}/properties`
  return finding(
    { ...location, contract, keyword: 'unknown', message: 'not mentioned by the contract' },
    question,
  )
}

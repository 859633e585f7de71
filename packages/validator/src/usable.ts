import type { DocumentError } from './contract-errors.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { isNode, type Node, stepsOf } from './json.ts'
import { target } from './reference.ts'
import { SCHEMA_KEYWORDS, sitesOf } from './sites.ts'

/**
 * Copies a document without its invalid parts: an invalid schema is replaced by one that accepts everything, and a
 * `oneOf` that reaches one is removed, since it may reject a value because a branch accepts it.
 */
export function usable(root: Cursor, errors: readonly DocumentError[]): object {
  const broken = new Set(errors.map(({ at }) => at.pointer))
  const schemas = [...sitesOf(root)].filter(({ kind, at }) => kind === 'schema' && !broken.has(at.pointer))
  const unsure = reaching(
    schemas.map(({ at }) => [at.pointer, partsOf(root, at)]),
    broken,
  )
  const choices = schemas.flatMap(({ at }) => {
    const isUnsure = children(child(at, 'oneOf')).some(([, { pointer }]) => unsure.has(pointer))
    return isUnsure ? [[...stepsOf(at.pointer), 'oneOf']] : []
  })
  const without = choices.reduce((node, steps) => changed(node, steps, undefined), root.node)
  return errors.reduce((node, { at }) => changed(node, stepsOf(at.pointer), {}), without) as object
}

/** The pointers that refer, directly or not, to one of the given pointers. */
function reaching(
  edges: readonly (readonly [from: string, to: readonly Cursor[]])[],
  goals: ReadonlySet<string>,
): ReadonlySet<string> {
  const back = new Map<string, string[]>()
  for (const [from, to] of edges)
    for (const { pointer } of to) back.set(pointer, [...(back.get(pointer) ?? []), from])
  const found = new Set(goals)
  for (const goal of found) for (const from of back.get(goal) ?? []) found.add(from)
  return found
}

function partsOf(root: Cursor, schema: Cursor): Cursor[] {
  const referred = typeof keywordOf(schema, '$ref') === 'string' ? [target(root, schema)] : []
  const inside = Object.entries(SCHEMA_KEYWORDS).flatMap(([keyword, part]) => {
    const held = child(schema, keyword)
    if (!held) return []
    return part.endsWith('*') ? children(held).map(([, it]) => it) : [held]
  })
  return [...referred, ...inside]
}

/** A copy with one value changed, or removed if the new value is undefined. Shares everything else. */
function changed(node: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (!isNode(node) || !Object.hasOwn(node, key)) return node
  const inner = changed(node[key], rest, value)
  if (Array.isArray(node)) return node.with(Number(key), inner)
  return inner === undefined ? without(node, key) : { ...node, [key]: inner }
}

function without(node: Node, key: string): Node {
  const { [key]: _, ...rest } = node
  return rest
}

import type { AjvError } from './contract-errors.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { isNode, type Node, stepsOf } from './json.ts'
import { dynamicTargets, inPlaceOf, target } from './reference.ts'
import { resourcesOf } from './resources.ts'
import { SCHEMA_KEYWORDS } from './sites.ts'

/** Keywords that may reject a value because a subschema accepts it. Removed if that subschema is unusable. */
const UNSURE = ['not', 'if', 'oneOf', 'contains']
/** Keywords that reject what no adjacent schema evaluates. */
const UNEVALUATED = ['unevaluatedItems', 'unevaluatedProperties']

/** Copies a document without its invalid parts: an invalid schema is replaced by one that accepts everything. */
export function usable(root: Cursor, errors: readonly AjvError[]): object {
  const broken = new Set(errors.map(({ at }) => at.pointer))
  const schemas = resourcesOf(root).sites.filter(
    ({ kind, at }) => kind === 'schema' && !broken.has(at.pointer),
  )
  const all = reaching(
    schemas.map(({ at }) => [at.pointer, partsOf(root, at)]),
    broken,
  )
  const inPlace = reaching(
    schemas.map(({ at }) => [at.pointer, appliedBy(root, at)]),
    broken,
  )
  const unsure = schemas.flatMap(({ at }) => [
    ...UNSURE.filter((keyword) => schemasAt(at, keyword).some(({ pointer }) => all.has(pointer))).map(
      (keyword) => [...stepsOf(at.pointer), keyword],
    ),
    ...(inPlace.has(at.pointer) ? UNEVALUATED.map((keyword) => [...stepsOf(at.pointer), keyword]) : []),
  ])
  const without = unsure.reduce((node, steps) => changed(node, steps, () => undefined), root.node)
  return errors.reduce((node, { at }) => changed(node, stepsOf(at.pointer), () => ({})), without) as object
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

function appliedBy(root: Cursor, schema: Cursor): Cursor[] {
  return [...inPlaceOf(root, schema), ...dynamicTargets(root, schema)]
}

function partsOf(root: Cursor, schema: Cursor): Cursor[] {
  const referred = typeof keywordOf(schema, '$ref') === 'string' ? [target(root, schema, '$ref')] : []
  const inside = Object.keys(SCHEMA_KEYWORDS).flatMap((keyword) => schemasAt(schema, keyword))
  return [...referred, ...dynamicTargets(root, schema), ...inside]
}

function schemasAt(schema: Cursor, keyword: string): Cursor[] {
  const held = child(schema, keyword)
  if (!held) return []
  return SCHEMA_KEYWORDS[keyword]?.endsWith('*') ? children(held).map(([, it]) => it) : [held]
}

/** A copy with one value changed, or removed if the new value is undefined. Shares everything else. */
export function changed(
  node: unknown,
  [key, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(node)
  if (!isNode(node) || !Object.hasOwn(node, key)) return node
  const inner = changed(node[key], rest, change)
  if (Array.isArray(node)) return node.with(Number(key), inner)
  if (inner === undefined) return without(node, key)
  return { ...node, [key]: inner }
}

function without(node: Node, key: string): Node {
  const { [key]: _, ...rest } = node
  return rest
}

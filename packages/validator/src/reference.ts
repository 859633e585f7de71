import { ContractError } from './contract-error.ts'
import { apart, type Cursor, child, children, keywordOf, questionOf } from './cursor.ts'
import { at, stepsOf } from './json.ts'
import { type Resource, resolve, resourceOf, resourcesOf } from './resources.ts'

/** Follows `$ref`, if there is one. What an assumption refers to is part of the assumption. */
export function follow(root: Cursor, cursor: Cursor): Cursor {
  let found = cursor
  for (let hops = 0; hops < 100; hops++) {
    const ref = at(found.node, '$ref')
    if (typeof ref !== 'string') return found
    found = target(root, found, '$ref')
  }
  throw new ContractError(`${cursor.pointer}/$ref`, '$ref', 'must lead somewhere, but leads in a circle')
}

/**
 * The place that a keyword refers to.
 *
 * @throws ContractError where there is none.
 */
export function target(root: Cursor, from: Cursor, keyword: '$ref' | '$dynamicRef'): Cursor {
  const ref = String(keywordOf(from, keyword))
  const found = resolve(root, from, ref)
  if (found) return asked(found, from, keyword)
  throw new ContractError(
    `${from.pointer}/${keyword}`,
    keyword,
    `must lead to a place of the document, got ${ref}`,
  )
}

function asked(found: Cursor, from: Cursor, keyword: string): Cursor {
  return found.question === undefined ? apart(found, questionOf(from, keyword)) : found
}

/** The place that a JSON pointer leads to, if there is one. */
export function placeAt(root: Cursor, pointer: string): Cursor | undefined {
  return stepsOf(pointer).reduce<Cursor | undefined>((place, key) => place && child(place, key), root)
}

/** The schemas that dynamic references mean while a value is validated, by the names of their anchors. */
export type Scope = ReadonlyMap<string, Cursor>

/** A scope that has entered the resource of a schema as well: what was entered before goes first. */
export function entered(root: Cursor, schema: Cursor, scope: Scope): Scope {
  if (!resourcesOf(root).has('$dynamicRef')) return scope
  const { dynamic }: Resource = resourceOf(root, schema)
  return [...dynamic.keys()].every((name) => scope.has(name)) ? scope : new Map([...dynamic, ...scope])
}

/** What `$dynamicRef` refers to (JSON Schema Core, section 8.2.3.2). */
export function dynamicTarget(root: Cursor, from: Cursor, scope: Scope): Cursor {
  const first = target(root, from, '$dynamicRef')
  const name = dynamicNameOf(root, first, from)
  const outermost = name === undefined ? undefined : scope.get(name)
  return outermost ? asked(outermost, from, '$dynamicRef') : first
}

/** All that a `$dynamicRef` may refer to. */
export function dynamicTargets(root: Cursor, from: Cursor): Cursor[] {
  if (typeof keywordOf(from, '$dynamicRef') !== 'string') return []
  const first = target(root, from, '$dynamicRef')
  const name = dynamicNameOf(root, first, from)
  const others = [...resourcesOf(root).byUri.values()].map(({ dynamic }) => dynamic.get(name ?? ''))
  return [...new Set([first, ...others])].filter((it) => it !== undefined)
}

/** The name of a reference, where a `$dynamicAnchor` gave it. */
function dynamicNameOf(root: Cursor, found: Cursor, from: Cursor): string | undefined {
  const name = String(keywordOf(from, '$dynamicRef')).split('#')[1] ?? ''
  return resourceOf(root, found).dynamic.get(name)?.pointer === found.pointer ? name : undefined
}

const ONE = ['not', 'if', 'then', 'else']
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas']

/** The schemas that a schema applies to the very value. */
export function inPlaceOf(root: Cursor, schema: Cursor): Cursor[] {
  const referred = typeof keywordOf(schema, '$ref') === 'string' ? [target(root, schema, '$ref')] : []
  const one = ONE.flatMap((keyword) => child(schema, keyword) ?? [])
  const several = SEVERAL.flatMap((keyword) => children(child(schema, keyword)).map(([, it]) => it))
  return [...referred, ...one, ...several]
}

const applied = new WeakMap<Cursor, readonly Cursor[]>()

/** A schema and all that it applies to the very value, always or sometimes, but for what it denies. */
export function withApplied(root: Cursor, schema: Cursor): readonly Cursor[] {
  const known = applied.get(schema) ?? collected(root, schema)
  applied.set(schema, known)
  return known
}

function collected(root: Cursor, schema: Cursor): readonly Cursor[] {
  const found = new Set([schema])
  for (const it of found)
    for (const part of inPlaceOf(root, it)) if (part !== child(it, 'not')) found.add(part)
  return [...found]
}

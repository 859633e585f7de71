import { ContractError } from './contract-error.ts'
import { apart, type Cursor, child, children, keywordOf, questionOf } from './cursor.ts'
import { at, stepsOf } from './json.ts'
import { type Resource, resolve, resourceOf, resourcesOf } from './resources.ts'

/** Follows `$ref` if present. The target of an assumption's reference belongs to the assumption. */
export function follow(root: Cursor, cursor: Cursor): Cursor {
  let found = cursor
  for (let hops = 0; hops < 100; hops++) {
    const ref = at(found.node, '$ref')
    if (typeof ref !== 'string') return found
    found = target(root, found, '$ref')
  }
  throw new ContractError(`${cursor.pointer}/$ref`, '$ref', 'must not be circular')
}

/**
 * The target of a keyword's reference.
 *
 * @throws ContractError if it does not exist.
 */
export function target(root: Cursor, from: Cursor, keyword: '$ref' | '$dynamicRef'): Cursor {
  const ref = String(keywordOf(from, keyword))
  const found = resolve(root, from, ref)
  if (found) return options(found, from, keyword)
  throw new ContractError(
    `${from.pointer}/${keyword}`,
    keyword,
    `must refer to a location in the document, got ${ref}`,
  )
}

function options(found: Cursor, from: Cursor, keyword: string): Cursor {
  return found.question === undefined ? apart(found, questionOf(from, keyword)) : found
}

/** The cursor of a JSON pointer; undefined if absent. */
export function placeAt(root: Cursor, pointer: string): Cursor | undefined {
  return stepsOf(pointer).reduce<Cursor | undefined>((place, key) => place && child(place, key), root)
}

/** The dynamic scope: the current targets of dynamic references by anchor name. */
export type Scope = ReadonlyMap<string, Cursor>

/** The scope after entering the resource of a schema. Earlier entries take precedence. */
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
  return outermost ? options(outermost, from, '$dynamicRef') : first
}

/** All possible targets of a `$dynamicRef`. */
export function dynamicTargets(root: Cursor, from: Cursor): Cursor[] {
  if (typeof keywordOf(from, '$dynamicRef') !== 'string') return []
  const first = target(root, from, '$dynamicRef')
  const name = dynamicNameOf(root, first, from)
  const others = [...resourcesOf(root).byUri.values()].map(({ dynamic }) => dynamic.get(name ?? ''))
  return [...new Set([first, ...others])].filter((it) => it !== undefined)
}

/** The name of a reference to a `$dynamicAnchor`. */
function dynamicNameOf(root: Cursor, found: Cursor, from: Cursor): string | undefined {
  const name = String(keywordOf(from, '$dynamicRef')).split('#')[1] ?? ''
  return resourceOf(root, found).dynamic.get(name)?.pointer === found.pointer ? name : undefined
}

const ONE = ['not', 'if', 'then', 'else']
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas']

/** The schemas that a schema applies to the same value. */
export function inPlaceOf(root: Cursor, schema: Cursor): Cursor[] {
  const referred = typeof keywordOf(schema, '$ref') === 'string' ? [target(root, schema, '$ref')] : []
  const one = ONE.flatMap((keyword) => child(schema, keyword) ?? [])
  const several = SEVERAL.flatMap((keyword) => children(child(schema, keyword)).map(([, it]) => it))
  return [...referred, ...one, ...several]
}

const applied = new WeakMap<Cursor, readonly Cursor[]>()

/** A schema and all schemas that it applies to the same value, conditionally or not, except in `not`. */
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

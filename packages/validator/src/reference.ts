import { ContractError } from './contract-error.ts'
import { apart, type Cursor, child, children, keywordOf, questionOf } from './cursor.ts'
import { stepsOf } from './json.ts'

/** Follows `$ref` if present. The target of an assumption's reference belongs to the assumption. */
export function follow(root: Cursor, cursor: Cursor): Cursor {
  let found = cursor
  for (let hops = 0; hops < 100; hops++) {
    if (typeof keywordOf(found, '$ref') !== 'string') return found
    found = target(root, found)
  }
  throw new ContractError(`${cursor.pointer}/$ref`, '$ref', 'must not be circular')
}

/**
 * The target of `$ref`.
 *
 * @throws ContractError if it does not exist.
 */
export function target(root: Cursor, from: Cursor): Cursor {
  const reference = String(keywordOf(from, '$ref'))
  const found = resolve(root, reference)
  if (found) return found.question === undefined ? apart(found, questionOf(from, '$ref')) : found
  const message = `must refer to a location in the document, got ${reference}`
  throw new ContractError(`${from.pointer}/$ref`, '$ref', message)
}

/** The target of a JSON pointer in a URI fragment (RFC 6901, section 6); undefined if absent. */
export function resolve(root: Cursor, reference: string): Cursor | undefined {
  return /^#($|\/)/.test(reference) ? placeAt(root, decoded(reference.slice(1))) : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The cursor of a JSON pointer; undefined if absent. */
export function placeAt(root: Cursor, pointer: string): Cursor | undefined {
  return stepsOf(pointer).reduce<Cursor | undefined>((place, key) => place && child(place, key), root)
}

/** The schemas that a schema applies to the same value. */
export function inPlaceOf(root: Cursor, schema: Cursor): Cursor[] {
  const referred = typeof keywordOf(schema, '$ref') === 'string' ? [target(root, schema)] : []
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => children(child(schema, keyword)))
  return [...referred, ...branches.map(([, it]) => it)]
}

import { pointerOf, stepsOf } from '@partner-payments/text'
import { ContractError } from './document.ts'
import { at, isNode, type Node } from './json.ts'

const MARK = 'x-open-question'

/** A location in the document and its node. */
export interface Cursor {
  /** An object or array; a schema may also be a boolean. */
  readonly node: unknown
  /** JSON pointer into the document. */
  readonly pointer: string
  /** The open question of the whole node, if it is an assumption. */
  readonly question: string | undefined
}

/** The root of a document. */
export function rootOf(document: object): Cursor {
  return { node: document, pointer: '', question: wholeOf(document) }
}

/** Cache of child cursors by parent, since every message visits the same ones. */
type Places = WeakMap<Cursor, Map<string, Cursor>>
const childCache: Places = new WeakMap()
const markedCache: Places = new WeakMap()

/** The cursor of a property or item; undefined if absent. Equal locations are the same object. */
export function child(cursor: Cursor, key: string): Cursor | undefined {
  const { node, pointer } = cursor
  if (!isNode(node) || !Object.hasOwn(node, key)) return undefined
  return once(childCache, cursor, key, () => {
    const value = node[key]
    const question = wholeOf(value) ?? questionOf(cursor, key)
    return { node: value, pointer: pointerOf(pointer, key), question }
  })
}

function once(places: Places, from: Cursor, name: string, make: () => Cursor): Cursor {
  const known = places.get(from) ?? new Map<string, Cursor>()
  const place = known.get(name) ?? make()
  if (!known.has(name)) places.set(from, known.set(name, place))
  return place
}

/** The cursors of all properties or items with their names, in the order of the document. */
export function children(cursor: Cursor | undefined): [string, Cursor][] {
  const keys = cursor && isNode(cursor.node) ? Object.keys(cursor.node) : []
  return keys.flatMap((key) => {
    const found = cursor && child(cursor, key)
    return found ? [[key, found] as [string, Cursor]] : []
  })
}

/** The value of a keyword; undefined if the node does not have it. */
export function keywordOf(cursor: Cursor, keyword: string): unknown {
  return at(cursor.node as Node, keyword)
}

/**
 * The open question of a keyword: its own mark (`{ keyword: id }`), else the mark of the whole node
 * or of a node that contains it.
 */
export function questionOf({ node, question }: Cursor, keyword: string): string | undefined {
  return markOf(node, keyword) ?? question
}

/** The mark of a single keyword. */
export function markOf(node: unknown, keyword: string): string | undefined {
  const id = at(at(node, MARK), keyword)
  return typeof id === 'string' ? id : undefined
}

/** The mark of a whole node. */
export function wholeOf(node: unknown): string | undefined {
  const mark = at(node, MARK)
  return typeof mark === 'string' ? mark : undefined
}

/** Follows `$ref` if present. The target of an assumption's reference belongs to the assumption. */
export function follow(root: Cursor, cursor: Cursor): Cursor {
  let found = cursor
  for (let hops = 0; hops < 100; hops++) {
    if (typeof keywordOf(found, '$ref') !== 'string') return found
    found = target(root, found)
  }
  throw new ContractError(`${cursor.pointer}/$ref`, 'must not be circular')
}

/**
 * The target of `$ref`.
 *
 * @throws ContractError if it does not exist.
 */
export function target(root: Cursor, from: Cursor): Cursor {
  const reference = String(keywordOf(from, '$ref'))
  const found = stepsOf(reference).reduce<Cursor | undefined>(
    (place, key) => place && child(place, key),
    root,
  )
  if (!found)
    throw new ContractError(
      `${from.pointer}/$ref`,
      `must refer to a location in the document, got ${reference}`,
    )
  const question = questionOf(from, '$ref')
  if (found.question !== undefined || question === undefined) return found
  return once(markedCache, found, question, () => ({ ...found, question }))
}

const parts = new WeakMap<Cursor, readonly Cursor[]>()

/** A schema and the schemas that it always applies: the target of `$ref`, and each of `allOf`. */
export function partsOf(root: Cursor, schema: Cursor): readonly Cursor[] {
  const known = parts.get(schema) ?? collected(root, schema)
  parts.set(schema, known)
  return known
}

function collected(root: Cursor, schema: Cursor, depth = 0): Cursor[] {
  if (depth > 20) return []
  const referred = typeof keywordOf(schema, '$ref') === 'string' ? [follow(root, schema)] : []
  const all = children(child(schema, 'allOf')).map(([, part]) => part)
  return [schema, ...[...referred, ...all].flatMap((part) => collected(root, part, depth + 1))]
}

/** The types that a schema states; undefined for any. An `enum` or a choice may allow fewer. */
export function typesOf(root: Cursor, schema: Cursor): readonly string[] | undefined {
  const stating = partsOf(root, schema).find((part) => keywordOf(part, 'type') !== undefined)
  return stating && [keywordOf(stating, 'type')].flat().map(String)
}

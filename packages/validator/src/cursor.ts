import { at, isNode, type Node, pointerOf } from './json.ts'

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

/**
 * The open question of a keyword: its own mark (`{ keyword: id }`), else the mark of the whole node or of a node that
 * contains it.
 */
export function questionOf({ node, question }: Cursor, keyword: string): string | undefined {
  return markOf(node, keyword) ?? question
}

/** The mark of a single keyword. */
export function markOf(node: unknown, keyword: string): string | undefined {
  const mark = at(node, MARK)
  const id = at(mark, keyword)
  return typeof id === 'string' ? id : undefined
}

/** The mark of a whole node. */
export function wholeOf(node: unknown): string | undefined {
  const mark = at(node, MARK)
  return typeof mark === 'string' ? mark : undefined
}

/** The same location with another open question. */
export function apart(cursor: Cursor, question: string | undefined): Cursor {
  if (question === cursor.question) return cursor
  return once(markedCache, cursor, question ?? '', () => ({ ...cursor, question }))
}

/** The value of a keyword; undefined if the node does not have it. */
export function keywordOf(cursor: Cursor, keyword: string): unknown {
  return at(cursor.node as Node, keyword)
}

import { at, isNode, type Node, pointerOf } from './json.ts'

const MARK = 'x-open-question'

/** A place of the document, and what is there. */
export interface Cursor {
  /** An object or a list, by its keys; a schema may be `true` or `false` too. */
  readonly node: unknown
  /** JSON pointer into the document. */
  readonly pointer: string
  /** The open question that all of the node answers. */
  readonly question: string | undefined
}

/** The first place of a document. */
export function rootOf(document: object): Cursor {
  return { node: document, pointer: '', question: wholeOf(document) }
}

/** Places by what they were reached from: a document has so many, and every message asks for the same ones. */
type Places = WeakMap<Cursor, Map<string, Cursor>>
const members: Places = new WeakMap()
const answers: Places = new WeakMap()

/** The place of a member, or undefined where there is none. The same place is the same object. */
export function child(cursor: Cursor, key: string): Cursor | undefined {
  const { node, pointer } = cursor
  if (!isNode(node) || !Object.hasOwn(node, key)) return undefined
  return once(members, cursor, key, () => {
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

/** The places of all members, with their names, in the order of the document. */
export function children(cursor: Cursor | undefined): [string, Cursor][] {
  const keys = cursor && isNode(cursor.node) ? Object.keys(cursor.node) : []
  return keys.flatMap((key) => {
    const found = cursor && child(cursor, key)
    return found ? [[key, found] as [string, Cursor]] : []
  })
}

/**
 * The open question that a keyword of the node answers: its own mark (`{ keyword: id }`), else that of all of the
 * node or of what the node is part of.
 */
export function questionOf({ node, question }: Cursor, keyword: string): string | undefined {
  return markOf(node, keyword) ?? question
}

/** The mark of one keyword alone. */
export function markOf(node: unknown, keyword: string): string | undefined {
  const mark = at(node, MARK)
  const id = at(mark, keyword)
  return typeof id === 'string' ? id : undefined
}

/** The mark of all of a node. */
export function wholeOf(node: unknown): string | undefined {
  const mark = at(node, MARK)
  return typeof mark === 'string' ? mark : undefined
}

/** The same place, marked with another open question. */
export function apart(cursor: Cursor, question: string | undefined): Cursor {
  if (question === cursor.question) return cursor
  return once(answers, cursor, question ?? '', () => ({ ...cursor, question }))
}

/** The value of a keyword, if the node is one that has it. */
export function keywordOf(cursor: Cursor, keyword: string): unknown {
  return at(cursor.node as Node, keyword)
}

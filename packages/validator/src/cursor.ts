import { ContractError } from './contract-error.ts'
import { at, isNode, type Node, pointerOf, stepsOf } from './json.ts'

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

/** Follows `$ref`, if there is one. What an answer of ours refers to is part of the answer. */
export function follow(root: Cursor, cursor: Cursor): Cursor {
  let found = cursor
  for (let hops = 0; hops < 100; hops++) {
    const ref = at(found.node, '$ref')
    if (typeof ref !== 'string') return found
    found = target(root, found, ref)
  }
  throw new ContractError(`${cursor.pointer}/$ref`, 'must lead somewhere, but leads in a circle')
}

/** The place that a reference names (RFC 6901, section 6). */
export function target(root: Cursor, from: Cursor, ref: string): Cursor {
  const found = ref === '#' ? root : steps(ref).reduce<Cursor | undefined>(step, root)
  if (!found) {
    throw new ContractError(`${from.pointer}/$ref`, `must be a JSON pointer into the document, got ${ref}`)
  }
  const question = found.question ?? questionOf(from, '$ref')
  if (question === found.question) return found
  return once(answers, found, question ?? '', () => ({ ...found, question }))
}

function step(cursor: Cursor | undefined, key: string): Cursor | undefined {
  return cursor && child(cursor, key)
}

/** The keys of a reference; one that no document has where it is no JSON pointer. */
function steps(ref: string): string[] {
  if (!ref.startsWith('#/')) return ['\0']
  return stepsOf(decoded(ref.slice(1)))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The value of a keyword, if the node is one that has it. */
export function keywordOf(cursor: Cursor, keyword: string): unknown {
  return at(cursor.node as Node, keyword)
}

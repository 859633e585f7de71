import { stepsOf } from '@partner-payments/validator'
import { below } from '../../model/document.ts'
import { propertyOf } from './json.ts'

const MARK = 'x-open-question'

/** A node of the document, usually a schema, and the open question that marks it as a whole. */
export interface Place {
  readonly node: unknown
  /** JSON pointer into the document. */
  readonly pointer: string
  readonly question: string | undefined
}

export function rootOf(document: object): Place {
  return { node: document, pointer: '', question: ownMark(document) }
}

/** A child node; undefined if there is none. */
export function child(place: Place, key: string): Place | undefined {
  const node = propertyOf(place.node, key)
  if (node === undefined) return undefined
  return { node, pointer: below(place.pointer, key), question: ownMark(node) ?? questionOf(place, key) }
}

/** All child nodes, in the order of the document. */
export function children(place: Place | undefined): [name: string, Place][] {
  const keys = place && typeof place.node === 'object' && place.node !== null ? Object.keys(place.node) : []
  return keys.flatMap((key) => {
    const found = place && child(place, key)
    return found ? [[key, found] as [string, Place]] : []
  })
}

export function keywordOf(place: Place, keyword: string): unknown {
  return propertyOf(place.node, keyword)
}

/** The open question of a keyword: its own mark, or that of the node. */
export function questionOf({ node, question }: Place, keyword: string): string | undefined {
  return keywordMark(node, keyword) ?? question
}

/** The open question of whether a property is required, from its own mark only. */
export function presenceQuestion(root: Place, property: Place | undefined): string | undefined {
  if (!property) return undefined
  const said = ownMark(property.node) ?? keywordMark(property.node, 'presence')
  return said ?? presenceQuestion(root, referred(root, { ...property, question: undefined }))
}

function keywordMark(node: unknown, keyword: string): string | undefined {
  const id = propertyOf(propertyOf(node, MARK), keyword)
  return typeof id === 'string' ? id : undefined
}

function ownMark(node: unknown): string | undefined {
  const mark = propertyOf(node, MARK)
  return typeof mark === 'string' ? mark : undefined
}

/**
 * The node at a pointer.
 *
 * @throws {TypeError} if there is none
 */
export function placeAt(root: Place, pointer: string): Place {
  const found = stepsOf(pointer).reduce<Place | undefined>((place, key) => place && child(place, key), root)
  if (!found) throw new TypeError(`"${pointer}" must be a place of the document`)
  return found
}

/** The target of `$ref`; undefined if there is none. */
export function referred(root: Place, place: Place): Place | undefined {
  const ref = keywordOf(place, '$ref')
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined
  const found = placeAt(root, decodeURIComponent(ref.slice(1)))
  return { ...found, question: found.question ?? questionOf(place, '$ref') }
}

/** A schema, its `$ref` target and its `allOf` branches, which all apply together. */
export function partsOf(root: Place, schema: Place, seen: ReadonlySet<string> = new Set()): Place[] {
  if (seen.has(schema.pointer)) return []
  const known = new Set([...seen, schema.pointer])
  const target = referred(root, schema)
  const all = children(child(schema, 'allOf')).map(([, part]) => part)
  const others = target ? [target, ...all] : all
  return [schema, ...others.flatMap((part) => partsOf(root, part, known))]
}

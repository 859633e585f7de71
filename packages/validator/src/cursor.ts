import { keywordMark, pointerOf, stepsOf, wholeMark } from '@partner-payments/contract'
import { ContractError } from './document.ts'
import { isObjectOrArray, ownProperty } from './json.ts'

/**
 * A location in the document and its node. The document is the raw one, not the table: the validator
 * compiles every schema of any document, with its marks.
 */
export interface Cursor {
  /** An object or array; a schema may also be a boolean. */
  readonly node: unknown
  /** JSON pointer into the document. */
  readonly pointer: string
  /** The open question of the whole node, if it is an assumption. */
  readonly question: string | undefined
}

/** The root of a document. */
export function createRoot(document: object): Cursor {
  return { node: document, pointer: '', question: wholeMark(document) }
}

/** Cursors by the cursor and the name that lead to them. */
type CursorCache = WeakMap<Cursor, Map<string, Cursor>>

/** Child cursors by parent and key, since every message visits the same ones. */
const childCache: CursorCache = new WeakMap()

/** Cursors with the question of the reference that led to them, by cursor and question. */
const markedCache: CursorCache = new WeakMap()

/**
 * The cursor of a property or item; undefined if the node does not have it. A cursor is a node of
 * the document with its JSON pointer and its open question. The same place always has the same
 * object, so that caches can use it as a key.
 */
export function findChild(cursor: Cursor, key: string): Cursor | undefined {
  const { node, pointer } = cursor
  if (!isObjectOrArray(node) || !Object.hasOwn(node, key)) return undefined

  return findOrCreate(childCache, cursor, key, () => {
    const value = node[key]
    // A mark applies to all below it, unless that has a mark of its own.
    const question = wholeMark(value) ?? questionOfKeyword(cursor, key)
    return { node: value, pointer: pointerOf(pointer, key), question }
  })
}

/** The schema that an object schema has for a property by its name; undefined if it has none. */
export function findProperty(schema: Cursor, name: string): Cursor | undefined {
  const properties = findChild(schema, 'properties')
  return properties && findChild(properties, name)
}

/** The cursor that a cache has for another one and a name, which is created on first use. */
function findOrCreate(
  cache: CursorCache,
  from: Cursor,
  name: string,
  create: () => Cursor,
): Cursor {
  const cursors = cache.get(from) ?? new Map<string, Cursor>()
  const existing = cursors.get(name)
  if (existing) return existing

  const created = create()
  cursors.set(name, created)
  cache.set(from, cursors)
  return created
}

/**
 * The cursors of all properties or items of a node with their names, in the order of the document.
 * A cursor is a node with its JSON pointer and its open question.
 */
export function listChildren(cursor: Cursor | undefined): [string, Cursor][] {
  if (!cursor || !isObjectOrArray(cursor.node)) return []

  const entries: [string, Cursor][] = []
  for (const key of Object.keys(cursor.node)) {
    const child = findChild(cursor, key)
    if (child) entries.push([key, child])
  }
  return entries
}

/** The items of the array that a keyword has; none if the node does not have it. */
export function listItems(cursor: Cursor, keyword: string): Cursor[] {
  return listChildren(findChild(cursor, keyword)).map(([, item]) => item)
}

/** The value of a keyword; undefined if the node does not have it. */
export function readKeyword(cursor: Cursor, keyword: string): unknown {
  return ownProperty(cursor.node, keyword)
}

/**
 * The open question of a keyword: its own mark (`{ keyword: id }`), else the mark of the whole node
 * or of a node that contains it.
 */
export function questionOfKeyword({ node, question }: Cursor, keyword: string): string | undefined {
  return keywordMark(node, keyword) ?? question
}

/** A longer chain of references is circular. */
const MAX_REFERENCES = 100

/**
 * Follows `$ref` from node to node, until one has none. If a reference is an assumption, so is its
 * target.
 *
 * @throws ContractError if the references are circular, or one leads nowhere.
 */
export function followReferences(root: Cursor, cursor: Cursor): Cursor {
  let target = cursor
  for (let followed = 0; followed < MAX_REFERENCES; followed++) {
    if (!hasReference(target)) return target
    target = requireTarget(root, target)
  }
  throw new ContractError(`${cursor.pointer}/$ref`, 'must not be circular')
}

/**
 * The node that `$ref` refers to. If the reference is an assumption, the cursor of its target has
 * the same open question.
 *
 * @throws ContractError if it does not exist.
 */
export function requireTarget(root: Cursor, from: Cursor): Cursor {
  const reference = String(readKeyword(from, '$ref'))
  const target = findCursor(root, stepsOf(reference))
  if (!target)
    throw new ContractError(
      `${from.pointer}/$ref`,
      `must refer to a location in the document, got ${reference}`,
    )

  const question = questionOfKeyword(from, '$ref')
  const isFact = question === undefined
  return isFact ? target : withQuestion(target, question)
}

/** The cursor as an assumption with this open question. One that is an assumption already stays. */
function withQuestion(cursor: Cursor, question: string): Cursor {
  if (cursor.question !== undefined) return cursor
  return findOrCreate(markedCache, cursor, question, () => ({ ...cursor, question }))
}

/** The cursor at a path of keys and indexes below the root; undefined if there is none. */
function findCursor(root: Cursor, steps: readonly string[]): Cursor | undefined {
  let cursor: Cursor | undefined = root
  for (const step of steps) {
    if (!cursor) return undefined
    cursor = findChild(cursor, step)
  }
  return cursor
}

/** Whether a node refers to another one by `$ref`. */
export function hasReference(cursor: Cursor): boolean {
  return typeof readKeyword(cursor, '$ref') === 'string'
}

const partsCache = new WeakMap<Cursor, readonly Cursor[]>()

/**
 * A schema and the schemas that always apply with it, at any depth: the target of its `$ref`, and
 * each of its `allOf`. Of `allOf: [{ $ref: Payer }]`, these are the schema itself, the reference in
 * it, and `Payer`.
 */
export function listParts(root: Cursor, schema: Cursor): readonly Cursor[] {
  const existing = partsCache.get(schema)
  if (existing) return existing

  const parts = collectParts(root, schema, 0)
  partsCache.set(schema, parts)
  return parts
}

/** References and `allOf` that lead from a schema to a part: more than a contract has in a row. */
const MAX_PARTS_DEPTH = 20

/**
 * Collects the parts of a schema for `listParts`, which keeps them.
 *
 * @param depth How many references and `allOf` led to the schema.
 */
function collectParts(root: Cursor, schema: Cursor, depth: number): Cursor[] {
  // Ends for a schema that applies itself, such as an item of its own `allOf`, which would lead to
  // itself again and again. `views.ts` refuses it, but may ask for its parts before.
  if (depth > MAX_PARTS_DEPTH) return []

  const appliedSchemas = listItems(schema, 'allOf')
  if (hasReference(schema)) appliedSchemas.unshift(followReferences(root, schema))

  const nested = appliedSchemas.flatMap((part) => collectParts(root, part, depth + 1))
  return [schema, ...nested]
}

/**
 * The types that a schema states, itself or by the first of its parts that states some, such as
 * `['string', 'null']`; empty if none does, which allows any. Its `enum` or a choice may allow
 * fewer.
 */
export function readTypes(root: Cursor, schema: Cursor): readonly string[] {
  for (const part of listParts(root, schema)) {
    const type = readKeyword(part, 'type')
    if (Array.isArray(type)) return type.map(String)
    if (type !== undefined) return [String(type)]
  }
  return []
}

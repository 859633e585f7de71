import { below, type Document, nodeOf, targetOf } from './document.ts'

/** Called for each schema that applies to a value, with the value and its pointer in the whole value. */
export type Visit = (pointer: string, value: unknown, at: string) => void

/** Limits the depth of values and schemas. */
const MAX_DEPTH = 40

/** Walks a value along its schema: references, `allOf`, and matching branches of `oneOf` and `anyOf`. */
export function walk(document: Document, schema: string, whole: unknown, visit: Visit): void {
  const go = (pointer: string, value: unknown, at: string, depth: number): void => {
    if (depth > MAX_DEPTH) return
    visit(pointer, value, at)
    const { always, branches, items, properties } = pointersOf(document, pointer)
    for (const it of always) go(it, value, at, depth + 1)
    for (const it of branches) if (isMatchingBranch(document, it, value)) go(it, value, at, depth + 1)
    const of = Array.isArray(value) ? () => items : (name: string) => properties.get(name)
    for (const [name, part] of Object.entries(nodeOf(value))) {
      const it = of(name)
      if (it !== undefined) go(it, part, below(at, name), depth + 1)
    }
  }
  go(schema, whole, '', 0)
}

/** Pointers to the schemas inside a schema. */
interface Pointers {
  /** A reference, and those in `allOf`. */
  readonly always: string[]
  readonly branches: string[]
  readonly items: string | undefined
  readonly properties: ReadonlyMap<string, string>
}

/** Every response is walked, and a document does not change. */
const known = new WeakMap<Document, Map<string, Pointers>>()

function pointersOf(document: Document, pointer: string): Pointers {
  const ofDocument = known.get(document) ?? new Map<string, Pointers>()
  known.set(document, ofDocument)
  const cached = ofDocument.get(pointer)
  if (cached) return cached
  const found = readPointers(document, pointer)
  // Misses are not cached, as in the document itself.
  if (document.at(pointer) !== undefined) ofDocument.set(pointer, found)
  return found
}

function readPointers(document: Document, pointer: string): Pointers {
  const node = nodeOf(document.at(pointer))
  const listed = (keyword: string) =>
    Object.keys(nodeOf(node[keyword])).map((name) => below(pointer, keyword, name))
  return {
    always: [...(typeof node.$ref === 'string' ? [targetOf(node.$ref)] : []), ...listed('allOf')],
    branches: [...listed('oneOf'), ...listed('anyOf')],
    items: node.items === undefined ? undefined : below(pointer, 'items'),
    properties: new Map(
      Object.keys(nodeOf(node.properties)).map((name) => [name, below(pointer, 'properties', name)]),
    ),
  }
}

/** Whether a value has the type and the constants of a branch. */
function isMatchingBranch(document: Document, branch: string, value: unknown): boolean {
  const { node, pointer } = document.follow(branch)
  const types = [node.type ?? []].flat()
  if (types.length > 0 && !types.includes(typeOf(value))) return false
  const parts = Object.keys(nodeOf(node.allOf)).map((i) => below(pointer, 'allOf', i))
  if (!parts.every((part) => isMatchingBranch(document, part, value))) return false
  return Object.entries(nodeOf(node.properties)).every(([name, schema]) => {
    const wanted = nodeOf(schema).const
    return wanted === undefined || nodeOf(value)[name] === wanted
  })
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

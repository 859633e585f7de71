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
    for (const it of sameValue(document, pointer, value)) go(it, value, at, depth + 1)
    for (const [it, part, name] of partsOf(document, pointer, value)) go(it, part, below(at, name), depth + 1)
  }
  go(schema, whole, '', 0)
}

/** The schemas that a schema applies to the same value. */
function sameValue(document: Document, pointer: string, value: unknown): string[] {
  const node = nodeOf(document.at(pointer))
  const listed = (keyword: string) =>
    Object.keys(nodeOf(node[keyword])).map((i) => below(pointer, keyword, i))
  const branches = [...listed('oneOf'), ...listed('anyOf')].filter((it) =>
    isMatchingBranch(document, it, value),
  )
  return [...(typeof node.$ref === 'string' ? [targetOf(node.$ref)] : []), ...listed('allOf'), ...branches]
}

/** The schemas of items and properties, with their values and names. */
function partsOf(document: Document, pointer: string, value: unknown): [string, unknown, string | number][] {
  if (Array.isArray(value)) {
    const items = below(pointer, 'items')
    return document.at(items) === undefined ? [] : value.map((item, i) => [items, item, i])
  }
  const properties = nodeOf(nodeOf(document.at(pointer)).properties)
  return Object.entries(nodeOf(value))
    .filter(([name]) => Object.hasOwn(properties, name))
    .map(([name, part]) => [below(pointer, 'properties', name), part, name])
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

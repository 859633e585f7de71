import { below, type Document, nodeOf, targetOf } from './document.ts'

/** Told of each place of a schema that bears on a value. */
export type Visit = (pointer: string, value: unknown) => void

/** Levels of a value, and of schemas in schemas, at most. */
const MAX_DEPTH = 40

/** Walks a value along its schema: references, all of `allOf`, the branches that are meant of a choice. */
export function walk(document: Document, pointer: string, value: unknown, visit: Visit, depth = 0): void {
  if (depth > MAX_DEPTH) return
  visit(pointer, value)
  const node = nodeOf(document.at(pointer))
  if (typeof node.$ref === 'string') walk(document, targetOf(node.$ref), value, visit, depth + 1)
  for (const i of Object.keys(nodeOf(node.allOf)))
    walk(document, below(pointer, 'allOf', i), value, visit, depth + 1)
  for (const choice of ['oneOf', 'anyOf']) {
    for (const i of Object.keys(nodeOf(node[choice]))) {
      const branch = below(pointer, choice, i)
      if (isMeant(document, branch, value)) walk(document, branch, value, visit, depth + 1)
    }
  }
  walkMembers(document, pointer, value, visit, depth)
}

function walkMembers(document: Document, pointer: string, value: unknown, visit: Visit, depth: number): void {
  if (Array.isArray(value)) {
    const items = below(pointer, 'items')
    if (document.at(items) !== undefined)
      for (const item of value) walk(document, items, item, visit, depth + 1)
    return
  }
  const properties = nodeOf(nodeOf(document.at(pointer)).properties)
  for (const [name, member] of Object.entries(nodeOf(value)))
    if (Object.hasOwn(properties, name))
      walk(document, below(pointer, 'properties', name), member, visit, depth + 1)
}

/** Whether a branch is of the value's type, and its constants are the value's. */
function isMeant(document: Document, branch: string, value: unknown): boolean {
  const { node, pointer } = document.follow(branch)
  const types = [node.type ?? []].flat()
  if (types.length > 0 && !types.includes(typeOf(value))) return false
  const parts = Object.keys(nodeOf(node.allOf)).map((i) => below(pointer, 'allOf', i))
  if (!parts.every((part) => isMeant(document, part, value))) return false
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

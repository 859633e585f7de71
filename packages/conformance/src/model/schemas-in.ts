import { below, type Document, nodeOf, targetOf } from './document.ts'
import { isMarked } from './read-only.ts'

/** Adds a schema and all schemas inside it. `without` leaves out properties that only the other side sends. */
export function schemasIn(
  document: Document,
  pointer: string,
  without?: 'readOnly' | 'writeOnly',
  known = new Set<string>(),
): Set<string> {
  if (known.has(pointer)) return known
  known.add(pointer)
  const node = nodeOf(document.at(pointer))
  if (typeof node.$ref === 'string') schemasIn(document, targetOf(node.$ref), without, known)
  if (node.items !== undefined) schemasIn(document, below(pointer, 'items'), without, known)
  for (const at of propertyPointers(document, pointer, without)) schemasIn(document, at, without, known)
  for (const list of ['oneOf', 'anyOf', 'allOf'])
    for (const key of Object.keys(nodeOf(node[list])))
      schemasIn(document, below(pointer, list, key), without, known)
  return known
}

/** Pointers to the properties of one schema. `without` leaves out those that only the other side sends. */
export function propertyPointers(
  document: Document,
  schema: string,
  without?: 'readOnly' | 'writeOnly',
): string[] {
  const names = Object.keys(nodeOf(nodeOf(document.at(schema)).properties))
  const all = names.map((name) => below(schema, 'properties', name))
  return without ? all.filter((at) => !isMarked(document, at, without)) : all
}

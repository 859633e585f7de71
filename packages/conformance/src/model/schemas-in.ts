import { below, type Document, nodeOf, targetOf } from './document.ts'

/** Adds a schema and all schemas inside it. */
export function schemasIn(document: Document, pointer: string, known = new Set<string>()): Set<string> {
  if (known.has(pointer)) return known
  known.add(pointer)
  const node = nodeOf(document.at(pointer))
  if (typeof node.$ref === 'string') schemasIn(document, targetOf(node.$ref), known)
  if (node.items !== undefined) schemasIn(document, below(pointer, 'items'), known)
  for (const at of propertyPointers(document, pointer)) schemasIn(document, at, known)
  for (const list of ['oneOf', 'anyOf', 'allOf'])
    for (const key of Object.keys(nodeOf(node[list]))) schemasIn(document, below(pointer, list, key), known)
  return known
}

/** Pointers to the properties of one schema. */
export function propertyPointers(document: Document, schema: string): string[] {
  const names = Object.keys(nodeOf(nodeOf(document.at(schema)).properties))
  return names.map((name) => below(schema, 'properties', name))
}

import { below, type Document, nodeOf, targetOf } from './document.ts'

/** Every schema that a schema is made of: behind references, in members, items and branches. Adds to those known. */
export function schemasIn(document: Document, pointer: string, known = new Set<string>()): Set<string> {
  if (known.has(pointer)) return known
  known.add(pointer)
  const node = nodeOf(document.at(pointer))
  if (typeof node.$ref === 'string') schemasIn(document, targetOf(node.$ref), known)
  if (node.items !== undefined) schemasIn(document, below(pointer, 'items'), known)
  for (const list of ['properties', 'oneOf', 'anyOf', 'allOf'])
    for (const key of Object.keys(nodeOf(node[list]))) schemasIn(document, below(pointer, list, key), known)
  return known
}

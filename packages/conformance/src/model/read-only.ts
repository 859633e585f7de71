import { below, type Document, type Node, nodeOf } from './document.ts'
import { walk } from './schema-walk.ts'

export function hasReadOnly({ root }: Document): boolean {
  return JSON.stringify(root).includes('"readOnly":true')
}

/**
 * Removes `readOnly` properties, which a service may ignore or refuse in requests (OpenAPI 3.1, "Schema Object").
 * Returns the same value if there are none.
 */
export function withoutReadOnly(document: Document, schema: string, value: unknown): unknown {
  const names = new Map<unknown, Set<string>>()
  walk(document, schema, value, (pointer, it) => {
    for (const name of readOnlyNames(document, pointer)) {
      const known = names.get(it) ?? new Set<string>()
      names.set(it, known.add(name))
    }
  })
  return names.size === 0 ? value : strip(value, names)
}

/** The `readOnly` properties of one schema. */
export function readOnlyNames(document: Document, schema: string): string[] {
  const properties = nodeOf(nodeOf(document.at(schema)).properties)
  return Object.keys(properties).filter((name) =>
    isMarked(document, below(schema, 'properties', name), 'readOnly'),
  )
}

/** Whether a schema, or one that it includes, has the keyword. */
export function isMarked(document: Document, schema: string, keyword: 'readOnly' | 'writeOnly'): boolean {
  let found = false
  walk(document, schema, undefined, (pointer) => {
    found ||= nodeOf(document.at(pointer))[keyword] === true
  })
  return found
}

function strip(value: unknown, names: ReadonlyMap<unknown, ReadonlySet<string>>): unknown {
  if (Array.isArray(value)) return value.map((it) => strip(it, names))
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value as Node).filter(([name]) => !names.get(value)?.has(name))
  return Object.fromEntries(own.map(([name, it]) => [name, strip(it, names)]))
}

import { valueAt } from '../model/document.ts'
import type { Json, Schemas } from './schema/index.ts'

interface AcceptedBody {
  readonly pointer: string
  readonly body: Json
}

export type StringsByPointer = Readonly<Record<string, string>>

/** Pointers to the string fields of an accepted body that have no format: those that may be empty. */
export function freeStringsOf(schemas: Schemas, { pointer, body }: AcceptedBody): string[] {
  const empty = schemas.boundaries(pointer, body).filter((it) => valueAt(it.body, it.change.pointer) === '')
  const names = empty.map(({ change }) => change.pointer)
  return names.filter((it) => typeof valueAt(body, it) === 'string' || isTopLevel(it))
}

/**
 * Sets all free strings of a body at once, for each kind that the schema allows, such as accents or the maximum
 * length.
 */
export function stringVariants(schemas: Schemas, { pointer, body }: AcceptedBody): StringsByPointer[] {
  const free = freeStringsOf(schemas, { pointer, body })
  const kinds = new Map<string, Record<string, string>>()
  for (const { body: it, change } of schemas.boundaries(pointer, body)) {
    const value = valueAt(it, change.pointer)
    if (!free.includes(change.pointer) || typeof value !== 'string' || value === '') continue
    // Maximum lengths differ between fields, but count as one kind.
    const kind = change.keyword === 'maxLength' ? change.keyword : change.note
    kinds.set(kind, { [change.pointer]: value, ...kinds.get(kind) })
  }
  return [...kinds.values()]
}

/** Only the fields at the top level of the body. */
export function topLevelOnly(texts: StringsByPointer): StringsByPointer {
  return Object.fromEntries(Object.entries(texts).filter(([pointer]) => isTopLevel(pointer)))
}

function isTopLevel(pointer: string): boolean {
  return pointer.lastIndexOf('/') === 0
}

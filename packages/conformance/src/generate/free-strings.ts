import { valueAt } from '../model/document.ts'
import type { Json, Schemas } from './schema/index.ts'

/** An accepted body, and where its schema is. */
interface AcceptedBody {
  readonly pointer: string
  readonly body: Json
}

/** Texts by the pointers of their members. */
export type StringsByPointer = Readonly<Record<string, string>>

/** The members of an accepted body that are free text: what may be empty has no form of its own. */
export function freeStringsOf(schemas: Schemas, { pointer, body }: AcceptedBody): string[] {
  const empty = schemas.boundaries(pointer, body).filter((it) => valueAt(it.body, it.change.pointer) === '')
  const names = empty.map(({ change }) => change.pointer)
  return names.filter((it) => typeof valueAt(body, it) === 'string' || isTopLevel(it))
}

/** Texts for all of the free members at once, for each kind of text that the schema allows: spaces, accents, length. */
export function stringVariants(schemas: Schemas, { pointer, body }: AcceptedBody): StringsByPointer[] {
  const free = freeStringsOf(schemas, { pointer, body })
  const kinds = new Map<string, Record<string, string>>()
  for (const { body: it, change } of schemas.boundaries(pointer, body)) {
    const value = valueAt(it, change.pointer)
    if (!free.includes(change.pointer) || typeof value !== 'string' || value === '') continue
    // Lengths differ from member to member.
    const kind = change.keyword === 'maxLength' ? change.keyword : change.note
    kinds.set(kind, { [change.pointer]: value, ...kinds.get(kind) })
  }
  return [...kinds.values()]
}

/** The texts of members of the body itself. */
export function topLevelOnly(texts: StringsByPointer): StringsByPointer {
  return Object.fromEntries(Object.entries(texts).filter(([pointer]) => isTopLevel(pointer)))
}

function isTopLevel(pointer: string): boolean {
  return pointer.lastIndexOf('/') === 0
}

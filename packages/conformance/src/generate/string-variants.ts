import { valueAt } from '../model/document.ts'
import { ANY_TEXT, type Case, type Json, type Schemas } from './schema/index.ts'

interface AcceptedBody {
  readonly pointer: string
  readonly body: Json
}

type StringsByPointer = Readonly<Record<string, string>>

/** Pointers to the string fields of an accepted body that have no format: those that may be empty. */
export function freeStringsOf(schemas: Schemas, { pointer, body }: AcceptedBody): string[] {
  const empty = schemas.boundaries(pointer, body).filter((it) => valueAt(it.body, it.change.pointer) === '')
  const names = empty.map(({ change }) => change.pointer)
  return names.filter((it) => typeof valueAt(body, it) === 'string' || isTopLevel(it))
}

/** Strings that are tried together; where a business rule refuses the first set, the next ones. */
type Sets = readonly StringsByPointer[]

/**
 * Sets strings of a body at once, for each kind that the schema allows, such as accents or the maximum length: all
 * strings without a format, then only those that may be empty, each also at the top level alone.
 */
export function stringVariants(schemas: Schemas, accepted: AcceptedBody): Sets[] {
  const free = freeStringsOf(schemas, accepted)
  const kinds = new Map<string, Record<string, string>>()
  const cases = schemas.boundaries(accepted.pointer, accepted.body)
  const unrestricted = new Set(cases.filter(({ change }) => change.note === ANY_TEXT).map(pointerOf))
  for (const it of cases) {
    const value = valueAt(it.body, pointerOf(it))
    if (!unrestricted.has(pointerOf(it)) || typeof value !== 'string' || value === '') continue
    // Maximum lengths differ between fields, but count as one kind.
    const kind = it.change.keyword === 'maxLength' ? it.change.keyword : it.change.note
    kinds.set(kind, { [pointerOf(it)]: value, ...kinds.get(kind) })
  }
  return [...kinds.values()].map((all) => setsOf(all, free))
}

function pointerOf({ change }: Case): string {
  return change.pointer
}

function setsOf(all: StringsByPointer, free: readonly string[]): Sets {
  const optional = only(all, (pointer) => free.includes(pointer))
  const sets = [all, only(all, isTopLevel), optional, only(optional, isTopLevel)]
  const distinct = new Map(sets.map((it) => [JSON.stringify(it), it]))
  return [...distinct.values()].filter((it) => Object.keys(it).length > 0)
}

function only(strings: StringsByPointer, isMeant: (pointer: string) => boolean): StringsByPointer {
  return Object.fromEntries(Object.entries(strings).filter(([pointer]) => isMeant(pointer)))
}

function isTopLevel(pointer: string): boolean {
  return pointer.lastIndexOf('/') === 0
}

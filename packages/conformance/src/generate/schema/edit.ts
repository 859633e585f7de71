import { type Json, pointerOf } from './json.ts'
import type { Place } from './place.ts'
import type { Site } from './sites.ts'

/** One change of a message, of which it is not yet known what it breaks. */
export interface Edit {
  /** JSON pointer into the message. */
  readonly pointer: string
  /** What is put there; undefined: the member or item is taken away. */
  readonly value: Json | undefined
  /** The schema whose keyword it is about. */
  readonly part: Place
  readonly keyword: string
  /** What was done, in words: `left out`. */
  readonly note: string
  /** The member that the keyword is about, where it is not the one that the pointer names. */
  readonly property?: string
}

/** An edit of a site, or of a member of it. */
export function edit(
  site: Site,
  part: Place,
  keyword: string,
  to: { readonly value: Json | undefined; readonly note: string; readonly member?: string },
): Edit {
  const pointer = to.member === undefined ? site.pointer : pointerOf(site.pointer, to.member)
  return { pointer, value: to.value, part, keyword, note: to.note }
}

/** Of a text the length as JSON Schema counts it. */
export function codePointLength(text: string): number {
  return [...text].length
}

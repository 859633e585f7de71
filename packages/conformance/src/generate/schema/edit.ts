import { below } from '../../model/document.ts'
import type { Json } from './json.ts'
import { keywordValues } from './parts.ts'
import type { Place } from './place.ts'
import type { Site } from './sites.ts'

/** One change of a body. The validator decides what it breaks. */
export interface Edit {
  /** JSON pointer into the body. */
  readonly pointer: string
  /** The new value; undefined removes the property or item. */
  readonly value: Json | undefined
  /** The schema that the change is about. */
  readonly part: Place
  readonly keyword: string
  /** What was changed: `left out`. */
  readonly note: string
  /** The property that the keyword is about, if it is not the last step of the pointer. */
  readonly property?: string
}

/** A new value of a site, or of one of its properties, and its description. */
export type Replacement = Pick<Edit, 'value' | 'note' | 'property'>

export function edit(site: Site, part: Place, keyword: string, to: Replacement): Edit {
  const pointer = to.property === undefined ? site.pointer : below(site.pointer, to.property)
  return { pointer, value: to.value, part, keyword, note: to.note }
}

/** Edits for each schema of a site that has a keyword, made from the value of the keyword. */
export function keywordEdits(
  site: Site,
  keyword: string,
  replacementsFor: (said: Json) => readonly Replacement[],
): Edit[] {
  return keywordValues(site.parts, keyword).flatMap(([said, part]) =>
    replacementsFor(said).map((to) => edit(site, part, keyword, to)),
  )
}

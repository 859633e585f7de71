import { choicesOf } from './choices.ts'
import { type Edit, edit, type Replacement } from './edit.ts'
import { FORMATS } from './formats.ts'
import { isObject, type Json } from './json.ts'
import { nearMisses, valuesOfOtherTypes } from './near-values.ts'
import {
  tooFewProperties,
  tooManyProperties,
  unknownProperty,
  unknownTag,
  withoutRequired,
} from './object-breakers.ts'
import { keywordValues } from './parts.ts'
import { mismatches } from './pattern-breakers.ts'
import type { Place } from './place.ts'
import type { Site } from './sites.ts'
import { listOf, stringsOfLength } from './sized-values.ts'
import { rounded } from './valid-numbers.ts'
import type { ValidValues } from './valid-values.ts'

/** Replaces the value of a site so that it should break a keyword, given the value of the keyword. */
type Breaker = (said: Json, site: Site, valid: ValidValues, part: Place) => Replacement[]

/** Edits of one site that should each break a keyword. */
export function breakersOfSite(site: Site, valid: ValidValues): Edit[] {
  return Object.entries(BREAKERS).flatMap(([keyword, breaker]) =>
    keywordValues(site.parts, keyword).flatMap(([said, part]) =>
      breaker(said, site, valid, part).map((to) => edit(site, part, keyword, to)),
    ),
  )
}

/** By keyword. The validator decides what an edit really breaks. */
const BREAKERS: Readonly<Record<string, Breaker>> = {
  required: (said, site) => withoutRequired(said as string[], site),
  type: (said, { value }) => valuesOfOtherTypes([said].flat().map(String), value),
  enum: (said, { value }) => nearMisses(said as Json[], value),
  const: (said, { value }) => nearMisses([said], value),
  pattern: (said, site) => mismatches(String(said), site),
  format: (said) =>
    (FORMATS[String(said)]?.failed ?? []).map((value) => ({
      value,
      note: `${value ? JSON.stringify(value) : 'empty'}, which is not a valid ${said}`,
    })),
  minLength: (said, site) => ofLength(site, Number(said) - 1),
  maxLength: (said, site) => [Number(said) + 1, Number(said) * 2 + 2].flatMap((it) => ofLength(site, it)),
  minimum: (said) => beyond(Number(said), -1),
  maximum: (said) => beyond(Number(said), 1),
  exclusiveMinimum: (said) => beyond(Number(said), -1),
  exclusiveMaximum: (said) => beyond(Number(said), 1),
  minItems: (said, { value }) =>
    Array.isArray(value) && Number(said) > 0
      ? [{ value: value.slice(0, Number(said) - 1), note: 'an array with one item too few' }]
      : [],
  maxItems: (said, site, valid) => tooManyItems(Number(said), site, valid),
  additionalProperties: (_, { value }) => unknownProperty(value),
  minProperties: (said, site) => tooFewProperties(Number(said), site),
  maxProperties: (said, site, valid) => tooManyProperties(Number(said), site, valid),
  discriminator: (said, site) => unknownTag(said, site),
  oneOf: (_, __, valid, part) => noBranch(part, valid),
  anyOf: (_, __, valid, part) => noBranch(part, valid),
}

function ofLength(site: Site, length: number): Replacement[] {
  return stringsOfLength(site, length).map((value) => ({ value, note: `${length} characters long` }))
}

function beyond(bound: number, sign: number): Replacement[] {
  const values = [bound, ...[1, 0.01, 0.5, 1000, 2 ** 31].map((far) => rounded(bound + sign * far))]
  return values.map((value) => ({ value, note: `${value}` }))
}

function tooManyItems(most: number, site: Site, valid: ValidValues): Replacement[] {
  if (!Array.isArray(site.value)) return []
  const value = listOf(site, most + 1, valid)
  return value ? [{ value, note: `an array of ${most + 1} items` }] : []
}

/** Values that match no branch, or several at once. */
function noBranch(part: Place, valid: ValidValues): Replacement[] {
  const branches = choicesOf(part).flatMap((it) => it.branches)
  const values = branches.map((branch) => valid.one([branch])).filter((it) => it !== undefined)
  const both = Object.assign({}, ...values.filter(isObject)) as Json
  const others: readonly Json[] = [null, true, 0, 'a', [], {}, both, ...values]
  return others.map((value) => ({ value, note: 'a match of no branch, or of several' }))
}

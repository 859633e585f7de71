import { choicesOf } from './choices.ts'
import { type Edit, edit, type Replacement } from './edit.ts'
import { FORMATS } from './formats.ts'
import { isObject, type Json } from './json.ts'
import { nearMisses, valuesOfOtherTypes } from './near-values.ts'
import {
  invalidNames,
  tooFewProperties,
  tooManyProperties,
  unknownProperty,
  unknownTag,
  withoutDependents,
  withoutRequired,
} from './object-breakers.ts'
import { keywordValues } from './parts.ts'
import { mismatches } from './pattern-breakers.ts'
import { child, children, keywordOf, type Place } from './place.ts'
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
  // OpenAPI 3.1 does not define `nullable`, but a contract that has it means to allow null.
  type: (said, { value }, _, part) =>
    valuesOfOtherTypes([said].flat().map(String), value).filter(
      (it) => it.value !== null || keywordOf(part, 'nullable') !== true,
    ),
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
  multipleOf: (said, site) =>
    [0.5, 0.1].map((share) => ({
      value: rounded(Number(site.value) + Number(said) * share),
      note: `not a multiple of ${said}`,
    })),
  minItems: (said, { value }) =>
    Array.isArray(value) && Number(said) > 0
      ? [{ value: value.slice(0, Number(said) - 1), note: 'an array with one item too few' }]
      : [],
  maxItems: (said, site, valid) => tooManyItems(Number(said), site, valid),
  uniqueItems: (said, site) => (said === true ? duplicateItems(site) : []),
  additionalProperties: (_, site) => unknownProperty(site),
  unevaluatedProperties: (_, site) => unknownProperty(site),
  minProperties: (said, site) => tooFewProperties(Number(said), site),
  maxProperties: (said, site, valid) => tooManyProperties(Number(said), site, valid),
  dependentRequired: withoutDependents,
  propertyNames: (_, site) => invalidNames(site),
  discriminator: (said, site) => unknownTag(said, site),
  oneOf: (_, __, valid, part) => noBranch(part, valid),
  anyOf: (_, __, valid, part) => noBranch(part, valid),
  not: (_, site, valid, part) => matchingNot(part, site, valid),
  contains: () =>
    [[], [null], ['a'], [{}], [-1]].map((value) => ({
      value,
      note: 'an array without the item that `contains` needs',
    })),
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
  const isUnique = keywordValues(site.parts, 'uniqueItems').some(([it]) => it === true)
  const value = listOf(site, most + 1, isUnique, valid)
  return value ? [{ value, note: `an array of ${most + 1} items` }] : []
}

function duplicateItems({ value }: Site): Replacement[] {
  const [first, ...rest] = Array.isArray(value) ? (value as readonly Json[]) : []
  if (first === undefined) return []
  const lists = [
    [first, ...rest, first],
    [first, first, ...rest.slice(1)],
  ]
  return lists.map((value) => ({ value, note: 'an array with a duplicate item' }))
}

/** Values that match no branch, or several at once. */
function noBranch(part: Place, valid: ValidValues): Replacement[] {
  const branches = choicesOf(part).flatMap((it) => it.branches)
  const values = branches.map((branch) => valid.one(branch)).filter((it) => it !== undefined)
  const both = Object.assign({}, ...values.filter(isObject)) as Json
  const others: readonly Json[] = [null, true, 0, 'a', [], {}, both, ...values]
  return others.map((value) => ({ value, note: 'a match of no branch, or of several' }))
}

/** Values that match the schema of `not`. */
function matchingNot(part: Place, { places, value: current }: Site, valid: ValidValues): Replacement[] {
  const not = child(part, 'not')
  if (!not) return []
  const others = places.filter((it) => keywordOf(it, 'not') === undefined)
  const own = valid.one([not])
  const merged = isObject(own) && isObject(current) ? [{ ...current, ...own }] : []
  const all = [valid.one([...others, not]), own, ...merged]
  const names = children(child(not, 'properties')).map(([name]) => name)
  const note = names.length > 0 ? `an object with ${names.join(', ')}` : 'what `not` excludes'
  return all.filter((it) => it !== undefined).map((value) => ({ value, note }))
}

import { matchingNot, noBranch } from './choice-breakers.ts'
import { type Edit, edit } from './edit.ts'
import { FORMATS } from './formats.ts'
import type { Json } from './json.ts'
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
import { mismatches } from './pattern-breakers.ts'
import type { Place } from './place.ts'
import { keywordValues, type Site } from './sites.ts'
import { listOf, stringsOfLength } from './sized-values.ts'
import { rounded } from './valid-numbers.ts'
import type { ValidValues } from './valid-values.ts'

type Breaker = (said: Json, part: Place, site: Site, valid: ValidValues) => Edit[]

/** Edits of one site that should each break a keyword. */
export function breakersOfSite(site: Site, valid: ValidValues): Edit[] {
  return Object.entries(BREAKERS).flatMap(([keyword, breaker]) =>
    keywordValues(site.parts, keyword).flatMap(([said, part]) => breaker(said, part, site, valid)),
  )
}

/** By keyword. The validator decides what an edit really breaks. */
const BREAKERS: Readonly<Record<string, Breaker>> = {
  required: (said, part, site) => withoutRequired(said as string[], part, site),
  type: (said, part, site) =>
    valuesOfOtherTypes([said].flat().map(String), site.value).map((to) => edit(site, part, 'type', to)),
  enum: (said, part, site) =>
    nearMisses(said as Json[], site.value).map((to) => edit(site, part, 'enum', to)),
  const: (said, part, site) => nearMisses([said], site.value).map((to) => edit(site, part, 'const', to)),
  pattern: (said, part, site) =>
    typeof site.value === 'string' ? mismatches(String(said), part, site, site.value) : [],
  format: (said, part, site) =>
    (FORMATS[String(said)]?.failed ?? []).map((value) =>
      edit(site, part, 'format', {
        value,
        note: `${value ? JSON.stringify(value) : 'empty'}, which is not a valid ${said}`,
      }),
    ),
  minLength: (said, part, site) => lengthEdits([Number(said) - 1], 'minLength', part, site),
  maxLength: (said, part, site) =>
    lengthEdits([Number(said) + 1, Number(said) * 2 + 2], 'maxLength', part, site),
  minimum: (said, part, site) => numbers(site, part, 'minimum', Number(said), -1),
  maximum: (said, part, site) => numbers(site, part, 'maximum', Number(said), 1),
  exclusiveMinimum: (said, part, site) => numbers(site, part, 'exclusiveMinimum', Number(said), -1),
  exclusiveMaximum: (said, part, site) => numbers(site, part, 'exclusiveMaximum', Number(said), 1),
  multipleOf: (said, part, site) =>
    [0.5, 0.1].map((share) =>
      edit(site, part, 'multipleOf', {
        value: rounded(Number(site.value) + Number(said) * share),
        note: `not a multiple of ${said}`,
      }),
    ),
  minItems: (said, part, site) =>
    Array.isArray(site.value) && Number(said) > 0
      ? [
          edit(site, part, 'minItems', {
            value: site.value.slice(0, Number(said) - 1),
            note: 'an array with one item too few',
          }),
        ]
      : [],
  maxItems: (said, part, site, valid) => tooManyItems(Number(said), part, site, valid),
  uniqueItems: (said, part, site) => (said === true ? duplicateItems(part, site) : []),
  additionalProperties: (_, part, site) => unknownProperty(site, part, 'additionalProperties'),
  unevaluatedProperties: (_, part, site) => unknownProperty(site, part, 'unevaluatedProperties'),
  minProperties: (said, part, site) => tooFewProperties(Number(said), part, site),
  maxProperties: (said, part, site, valid) => tooManyProperties(Number(said), part, site, valid),
  dependentRequired: (said, part, site, valid) => withoutDependents(said, part, site, valid),
  propertyNames: (_, part, site) => invalidNames(part, site),
  discriminator: (said, part, site) => unknownTag(said, part, site),
  oneOf: (_, part, site, valid) => noBranch(part, site, valid),
  anyOf: (_, part, site, valid) => noBranch(part, site, valid),
  not: (_, part, site, valid) => matchingNot(part, site, valid),
  contains: (_, part, site) =>
    [[], [null], ['a'], [{}], [-1]].map((value) =>
      edit(site, part, 'contains', { value, note: 'an array without the item that `contains` needs' }),
    ),
}

function lengthEdits(lengths: readonly number[], keyword: string, part: Place, site: Site): Edit[] {
  return lengths.flatMap((length) =>
    stringsOfLength(site, length).map((value) =>
      edit(site, part, keyword, { value, note: `${length} characters long` }),
    ),
  )
}

function numbers(site: Site, part: Place, keyword: string, bound: number, sign: number): Edit[] {
  const values = [bound, ...[1, 0.01, 0.5, 1000, 2 ** 31].map((far) => rounded(bound + sign * far))]
  return values.map((value) => edit(site, part, keyword, { value, note: `${value}` }))
}

function tooManyItems(most: number, part: Place, site: Site, valid: ValidValues): Edit[] {
  if (!Array.isArray(site.value)) return []
  const isUnique = keywordValues(site.parts, 'uniqueItems').some(([it]) => it === true)
  const value = listOf(site, most + 1, isUnique, valid)
  return value ? [edit(site, part, 'maxItems', { value, note: `an array of ${most + 1} items` })] : []
}

function duplicateItems(part: Place, site: Site): Edit[] {
  const [first, ...rest] = Array.isArray(site.value) ? (site.value as readonly Json[]) : []
  if (first === undefined) return []
  const lists = [
    [first, ...rest, first],
    [first, first, ...rest.slice(1)],
  ]
  return lists.map((value) =>
    edit(site, part, 'uniqueItems', { value, note: 'an array with a duplicate item' }),
  )
}

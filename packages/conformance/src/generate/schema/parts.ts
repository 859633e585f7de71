import { isObject, type Json, propertyOf } from './json.ts'
import { child, children, keywordOf, type Place } from './place.ts'

/** The values of a keyword, each with the schema that has it. */
export function keywordValues(parts: readonly Place[], keyword: string): [value: Json, part: Place][] {
  return parts.flatMap((part) => {
    const value = keywordOf(part, keyword) as Json | undefined
    return value === undefined ? [] : [[value, part] as [Json, Place]]
  })
}

/** The values of a numeric keyword. */
export function numbersOf(parts: readonly Place[], keyword: string): number[] {
  return parts.map((part) => keywordOf(part, keyword)).filter((it) => typeof it === 'number')
}

/** The schemas of a property: by name, or from `additionalProperties`. */
export function propertyPlaces(parts: readonly Place[], name: string): Place[] {
  return parts.flatMap((part) => {
    const properties = child(part, 'properties')
    return (properties && child(properties, name)) ?? child(part, 'additionalProperties') ?? []
  })
}

/** The schemas of the items of an array. */
export function itemPlaces(parts: readonly Place[]): Place[] {
  return parts.flatMap((part) => child(part, 'items') ?? [])
}

/** Names of the declared properties. */
export function propertyNames(parts: readonly Place[]): string[] {
  return [...new Set(parts.flatMap((part) => children(child(part, 'properties')).map(([name]) => name)))]
}

/** Names of the required properties. */
export function requiredNames(parts: readonly Place[]): string[] {
  const names = parts.flatMap((part) => keywordOf(part, 'required')).filter((it) => typeof it === 'string')
  return [...new Set(names)]
}

/** A name of a property that is not declared. */
export const UNKNOWN_NAME = 'x_unknown_field'

/** A name for an additional property. */
export function generatedName(index: number): string {
  return `property${[...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
}

/** Names that only `additionalProperties` allows. */
export function undeclaredNames(parts: readonly Place[]): string[] {
  return parts.some((part) => isObject(keywordOf(part, 'additionalProperties'))) ? [UNKNOWN_NAME] : []
}

const HINTS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'minProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
}
const TYPES = ['string', 'object', 'array', 'integer', 'number', 'boolean', 'null']

/** The types that a value may have. Without `type`, those that the other keywords apply to. */
export function typesOf(parts: readonly Place[]): readonly string[] {
  const said = parts.map((part) => keywordOf(part, 'type')).filter((it) => it !== undefined)
  const lists = said.map((it) => [it].flat().map(String))
  if (lists.length > 0) return common(lists)
  const hinted = Object.keys(HINTS).filter((type) =>
    parts.some((part) => HINTS[type]?.some((keyword) => propertyOf(part.node, keyword) !== undefined)),
  )
  return hinted.length > 0 ? hinted : TYPES
}

function common(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists
  const types = first.filter((type) =>
    others.every((list) => list.includes(type) || (type === 'integer' && list.includes('number'))),
  )
  const whole = lists.every((list) => list.includes('integer') || list.includes('number'))
  return whole && types.length < first.length && !types.includes('integer') ? [...types, 'integer'] : types
}

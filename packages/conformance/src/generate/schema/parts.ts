import { isObject, type Json, propertyOf } from './json.ts'
import { readPattern } from './pattern.ts'
import { shortestString } from './pattern-strings.ts'
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

/** The schemas of a property: by name, by pattern, or from `additionalProperties`. */
export function propertyPlaces(parts: readonly Place[], name: string): Place[] {
  return parts.flatMap((part) => {
    const properties = child(part, 'properties')
    const named = (properties && child(properties, name)) ?? []
    const patterns = children(child(part, 'patternProperties')).filter(([it]) =>
      new RegExp(it, 'u').test(name),
    )
    const found = [named, patterns.map(([, place]) => place)].flat()
    const others = child(part, 'additionalProperties')
    return found.length > 0 || !others ? found : [others]
  })
}

/** The schemas of an array item. */
export function itemPlaces(parts: readonly Place[], index: number): Place[] {
  return parts.flatMap((part) => {
    const first = child(part, 'prefixItems')
    const item = (first && child(first, String(index))) ?? child(part, 'items')
    return item ? [item] : []
  })
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

export const UNKNOWN_NAME = 'x_unknown_field'

/** A name of a property that is not declared; letters only if `propertyNames` restricts names. */
export function unknownNameFor(parts: readonly Place[]): string {
  return parts.some((part) => keywordOf(part, 'propertyNames') !== undefined) ? 'unknown' : UNKNOWN_NAME
}

/** A name for an additional property; only letters, since `propertyNames` may restrict names. */
export function generatedName(index: number): string {
  return `property${[...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
}

/** Names that only `patternProperties` or `additionalProperties` allow. */
export function undeclaredNames(parts: readonly Place[]): string[] {
  const patterns = parts.flatMap((part) =>
    children(child(part, 'patternProperties')).map(([pattern]) => pattern),
  )
  const named = patterns.flatMap((pattern) => {
    const read = readPattern(pattern)
    return read ? [shortestString(read)] : []
  })
  const isOpen = parts.some((part) => isObject(keywordOf(part, 'additionalProperties')))
  return isOpen ? [...named, unknownNameFor(parts)] : named
}

const HINTS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'contains'],
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
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

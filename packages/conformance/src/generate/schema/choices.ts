import { isObject, propertyOf } from './json.ts'
import { readPattern } from './pattern.ts'
import { shortestString } from './pattern-strings.ts'
import { child, children, keywordOf, type Place } from './place.ts'

/** A keyword that offers several branches. */
export interface Choice {
  readonly schema: Place
  readonly keyword: 'oneOf' | 'anyOf' | 'if'
  /** The schemas of each branch. */
  readonly branches: readonly (readonly Place[])[]
}

export function choicesOf(schema: Place): Choice[] {
  const lists = (['oneOf', 'anyOf'] as const).map((keyword) => ({
    schema,
    keyword,
    branches: children(child(schema, keyword)).map(([, branch]) => [branch]),
  }))
  return [...lists.filter(({ branches }) => branches.length > 0), ...conditionOf(schema)]
}

function conditionOf(schema: Place): Choice[] {
  const [test, then, otherwise] = ['if', 'then', 'else'].map((keyword) => child(schema, keyword))
  if (!test) return []
  return [{ schema, keyword: 'if', branches: [then ? [test, then] : [test], otherwise ? [otherwise] : []] }]
}

/** The schemas of a property: by name, by pattern, or from `additionalProperties`. */
export function propertyPlaces(parts: readonly Place[], name: string): Place[] {
  return parts.flatMap((part) => {
    const named = declaredProperty(child(part, 'properties'), name)
    const patterns = children(child(part, 'patternProperties')).filter(([it]) =>
      new RegExp(it, 'u').test(name),
    )
    const found = [...named, ...patterns.map(([, place]) => place)]
    const others = child(part, 'additionalProperties')
    return found.length > 0 || !others ? found : [others]
  })
}

function declaredProperty(properties: Place | undefined, name: string): Place[] {
  const found = properties && child(properties, name)
  return found ? [found] : []
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

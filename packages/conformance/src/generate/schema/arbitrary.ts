import fc from 'fast-check'
import { choicesOf } from './choices.ts'
import { isObject, type Json } from './json.ts'
import { itemPlaces, numbersOf, propertyNames, propertyPlaces, requiredNames, typesOf } from './parts.ts'
import { child, keywordOf, type Place } from './place.ts'
import type { SchemaContract } from './schema-contract.ts'
import { formatArbitrary, matchingArbitrary, plainString } from './string-arbitrary.ts'
import { numberRulesOf } from './valid-numbers.ts'
import { stringRulesOf } from './valid-strings.ts'
import { fixedValues, type ValidValues } from './valid-values.ts'

/** An arbitrary (fast-check) of the values of schemas; undefined if no value is found. */
export type ArbitraryOf = (places: readonly Place[]) => fc.Arbitrary<Json> | undefined

/** Levels drawn at random. Deeper values are constants. */
const DEPTH = 6
/** Samples that decide whether most drawn values are valid. */
const PROBES = 24

/** Every value is validated, and shrinks towards a small one. */
export function createArbitrary(contract: SchemaContract, valid: ValidValues): ArbitraryOf {
  const known = new Map<string, fc.Arbitrary<Json> | undefined>()
  return (places) => checked(places, DEPTH)

  function checked(places: readonly Place[], depth: number): fc.Arbitrary<Json> | undefined {
    const key = `${depth} ${places.map(({ pointer }) => pointer).join(' ')}`
    if (!known.has(key)) known.set(key, make(places, depth))
    return known.get(key)
  }

  /** Draws values by keywords if most of them are valid. Otherwise draws from a list of valid values. */
  function make(places: readonly Place[], depth: number): fc.Arbitrary<Json> | undefined {
    const isRight = (value: Json) => contract.isValid(places, value)
    const drawn = depth > 0 ? oneOf(alternatives(contract.partsOf(places), depth, new Set())) : undefined
    const probes = drawn ? fc.sample(drawn, { seed: 1, numRuns: PROBES }) : []
    if (drawn && probes.filter(isRight).length * 2 >= PROBES) return drawn.filter(isRight)
    const constants = valid.some(places, depth > 0 ? 20 : 3)
    return constants.length > 0 ? fc.constantFrom(...constants) : undefined
  }

  function alternatives(
    parts: readonly Place[],
    depth: number,
    chosen: ReadonlySet<string>,
  ): fc.Arbitrary<Json>[] {
    const stated = fixedValues(parts)
    const isClosed = parts.some((part) => ['const', 'enum'].some((it) => keywordOf(part, it) !== undefined))
    if (isClosed) return rightOnes(parts, stated)
    const choice = parts.flatMap(choicesOf).find((it) => !chosen.has(`${it.schema.pointer} ${it.keyword}`))
    if (!choice) return byType(parts, depth)
    const next = new Set([...chosen, `${choice.schema.pointer} ${choice.keyword}`])
    return choice.branches.flatMap((branch) =>
      alternatives(contract.partsOf([...parts, branch]), depth, next),
    )
  }

  function rightOnes(parts: readonly Place[], values: readonly Json[]): fc.Arbitrary<Json>[] {
    const simple = parts.filter((part) => choicesOf(part).length === 0)
    const right = values.filter((value) => contract.isValid(simple, value))
    return right.length > 0 ? [fc.constantFrom(...right)] : []
  }

  function byType(parts: readonly Place[], depth: number): fc.Arbitrary<Json>[] {
    return typesOf(parts).flatMap((type): fc.Arbitrary<Json>[] => {
      if (type === 'null') return [fc.constant(null)]
      if (type === 'boolean') return [fc.boolean()]
      if (type === 'string') return [texts(parts)]
      if (type === 'integer' || type === 'number') return [numbers(parts, type)]
      return type === 'array' ? [lists(parts, depth)] : objects(parts, depth)
    })
  }

  function lists(parts: readonly Place[], depth: number): fc.Arbitrary<Json> {
    const places = itemPlaces(parts)
    const item = places.length > 0 ? checked(places, depth - 1) : plainString({ minLength: 0, maxLength: 5 })
    const minLength = Math.max(0, ...numbersOf(parts, 'minItems'))
    const maxLength = Math.max(minLength, Math.min(minLength + 4, ...numbersOf(parts, 'maxItems')))
    if (!item) return fc.constant([])
    return fc.array(item, { minLength, maxLength })
  }

  function objects(parts: readonly Place[], depth: number): fc.Arbitrary<Json>[] {
    const required = requiredNames(parts)
    const names = new Set([...required, ...propertyNames(parts)])
    const properties = [...names].flatMap((name) => {
      const places = propertyPlaces(parts, name)
      const property =
        places.length > 0 ? checked(places, depth - 1) : plainString({ minLength: 0, maxLength: 5 })
      return property ? [[name, property] as const] : []
    })
    if (!required.every((name) => properties.some(([it]) => it === name))) return []
    const record = fc.record(Object.fromEntries(properties), {
      requiredKeys: required,
      noNullPrototype: true,
    })
    const others = parts
      .flatMap((part) => child(part, 'additionalProperties') ?? [])
      .filter(({ node }) => isObject(node))
    const other = others.length > 0 ? checked(others, depth - 1) : undefined
    if (!other) return [record]
    const more = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), other, {
      maxKeys: 3,
      noNullPrototype: true,
    })
    return [fc.tuple(more, record).map(([more, known]) => ({ ...more, ...known }))]
  }

  function texts(parts: readonly Place[]): fc.Arbitrary<Json> {
    const { min, max, patterns, formats } = stringRulesOf(parts)
    const [pattern] = patterns
    const timed = formats.flatMap((format) => formatArbitrary(format) ?? [])
    if (timed[0]) return timed[0]
    const matching = pattern === undefined ? undefined : matchingArbitrary(pattern)
    return matching ?? plainString({ minLength: min, maxLength: Math.min(max, min + 40) })
  }
}

function oneOf(alternatives: readonly fc.Arbitrary<Json>[]): fc.Arbitrary<Json> | undefined {
  if (alternatives.length === 0) return undefined
  return fc.oneof({ withCrossShrink: true }, ...alternatives)
}

/** Excludes negative zero and digits that a double cannot hold, which serializers write differently. */
function numbers(parts: readonly Place[], type: string): fc.Arbitrary<Json> {
  const { min, max, step } = numberRulesOf(parts, type)
  const least = Math.ceil(Math.max(min, -1e9) / step)
  const most = Math.floor(Math.min(max, 1e9) / step)
  if (least > most) return fc.constant(least * step)
  return fc.integer({ min: least, max: most }).map((times) => Number((times * step + 0).toPrecision(15)))
}

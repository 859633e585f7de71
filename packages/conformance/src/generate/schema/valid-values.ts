import { choicesOf } from './choices.ts'
import { isSameJson, type Json } from './json.ts'
import {
  generatedName,
  itemPlaces,
  numbersOf,
  propertyNames,
  propertyPlaces,
  requiredNames,
  typesOf,
} from './parts.ts'
import { keywordOf, type Place } from './place.ts'
import type { SchemaContract } from './schema-contract.ts'
import { numberRulesOf, validNumbers } from './valid-numbers.ts'
import { stringRulesOf, validStrings } from './valid-strings.ts'

/** Generates valid values. */
export interface ValidValues {
  /** A value that is valid for all schemas; undefined if none is found. */
  one(places: readonly Place[]): Json | undefined
  /** Up to `count` different values. */
  some(places: readonly Place[], count: number): Json[]
}

/** Ends the recursion of a recursive schema. */
const DEPTH = 12
/** Candidates tried per schema. */
const TRIES = 600

/** Tries examples, constants and defaults, then values generated from type and keywords. */
export function createValidValues(contract: SchemaContract): ValidValues {
  const known = new Map<string, Json | undefined>()
  return {
    one: (places) => one(places, DEPTH),
    some: (places, count) => some(places, count, DEPTH),
  }

  function one(places: readonly Place[], depth: number): Json | undefined {
    const key = `${depth} ${places.map(({ pointer }) => pointer).join(' ')}`
    if (!known.has(key)) known.set(key, some(places, 1, depth)[0])
    return known.get(key)
  }

  function some(places: readonly Place[], count: number, depth: number): Json[] {
    const found: Json[] = []
    if (depth === 0) return found
    let tries = 0
    for (const value of candidates(contract.partsOf(places), depth, new Set())) {
      if (tries++ > TRIES || found.length >= count) break
      if (!found.some((it) => isSameJson(it, value)) && contract.isValid(places, value)) found.push(value)
    }
    return found
  }

  function* candidates(parts: readonly Place[], depth: number, chosen: ReadonlySet<string>): Generator<Json> {
    if (chosen.size === 0) yield* statedValues(parts)
    const choice = parts.flatMap(choicesOf).find((it) => !chosen.has(`${it.schema.pointer} ${it.keyword}`))
    if (!choice) {
      yield* byType(parts, depth)
      return yield* stated(parts, 'default').filter(isEmpty)
    }
    const next = new Set([...chosen, `${choice.schema.pointer} ${choice.keyword}`])
    for (const branch of choice.branches) {
      const all = contract.partsOf([...parts, branch])
      yield* statedValues(contract.partsOf([branch]))
      yield* candidates(all, depth, next)
    }
  }

  function* byType(parts: readonly Place[], depth: number): Generator<Json> {
    for (const type of typesOf(parts)) {
      if (type === 'null') yield null
      if (type === 'boolean') yield* [true, false]
      if (type === 'string') yield* validStrings(stringRulesOf(parts))
      if (type === 'integer' || type === 'number') yield* validNumbers(numberRulesOf(parts, type))
      if (type === 'array') yield* lists(parts, depth)
      if (type === 'object') yield* objects(parts, depth)
    }
  }

  function* objects(parts: readonly Place[], depth: number): Generator<Json> {
    const required = requiredNames(parts)
    const least = Math.max(0, ...numbersOf(parts, 'minProperties'))
    const others = propertyNames(parts).filter((name) => !required.includes(name))
    const object = objectOf(
      parts,
      [...required, ...others.slice(0, Math.max(0, least - required.length))],
      depth,
    )
    if (!object) return
    yield withMore(object, least - Object.keys(object).length, parts, depth)
    const [first] = Object.keys(object)
    // Different objects, for lists with unique items.
    const places = first === undefined ? [] : propertyPlaces(parts, first)
    if (first !== undefined && places.length > 0)
      for (const value of some(places, 30, depth - 1)) yield { ...object, [first]: value }
    const all = objectOf(parts, [...required, ...others], depth)
    if (all) yield all
  }

  /** Adds undeclared properties for `minProperties`. */
  function withMore(
    object: { [name: string]: Json },
    count: number,
    parts: readonly Place[],
    depth: number,
  ): Json {
    const names = Array.from({ length: Math.max(0, count) }, (_, i) => generatedName(i))
    const values = names.map((name) => one(propertyPlaces(parts, name), depth - 1) ?? 'a')
    return { ...object, ...Object.fromEntries(names.map((name, i) => [name, values[i] ?? 'a'])) }
  }

  function objectOf(parts: readonly Place[], names: readonly string[], depth: number) {
    const entries = names.map((name) => {
      const places = propertyPlaces(parts, name)
      return [name, places.length === 0 ? 'a' : one(places, depth - 1)] as const
    })
    const known = entries.filter((entry): entry is [string, Json] => entry[1] !== undefined)
    const isWhole = requiredNames(parts).every((name) => known.some(([it]) => it === name))
    return isWhole ? Object.fromEntries(known) : undefined
  }

  function* lists(parts: readonly Place[], depth: number): Generator<Json> {
    const least = Math.max(0, ...numbersOf(parts, 'minItems'))
    const items = Array.from({ length: least }, (_, index) => itemOf(parts, index, depth))
    if (items.every((item) => item !== undefined)) yield items
    const item = itemOf(parts, 0, depth)
    if (item !== undefined) yield [item]
  }

  function itemOf(parts: readonly Place[], index: number, depth: number): Json | undefined {
    const places = itemPlaces(parts)
    return places.length === 0 ? `item ${index + 1}` : one(places, depth - 1)
  }
}

/** Values that the schemas list: examples, then constants, enums and defaults. */
function statedValues(parts: readonly Place[]): Json[] {
  return [...listed(parts, 'examples'), ...stated(parts, 'example'), ...fixedValues(parts)]
}

/** Constants, enums and defaults. */
export function fixedValues(parts: readonly Place[]): Json[] {
  const defaults = stated(parts, 'default').filter((it) => !isEmpty(it))
  return [...stated(parts, 'const'), ...listed(parts, 'enum'), ...defaults]
}

function listed(parts: readonly Place[], keyword: string): Json[] {
  return parts.flatMap((part) => (keywordOf(part, keyword) ?? []) as Json[])
}

function stated(parts: readonly Place[], keyword: string): Json[] {
  return parts.map((part) => keywordOf(part, keyword) as Json | undefined).filter((it) => it !== undefined)
}

/** A default that stands for no value: another one shows more of a service. */
function isEmpty(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

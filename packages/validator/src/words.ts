import { quoted } from './json.ts'
import { typeOf } from './resolve.ts'

const NAMES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  null: 'null',
  undefined: 'nothing',
}

/** What a keyword of JSON Schema expects of a value. */
export function expected(keyword: string, schema: unknown): string {
  return WORDS[keyword]?.(schema) ?? `what "${keyword}" of the contract says`
}

const WORDS: Readonly<Record<string, (schema: unknown) => string>> = {
  required: () => 'a value',
  dependentRequired: () => 'a value',
  type: (it) => anyOf([it].flat().map(named)),
  enum: (it) => expectedOneOf(it as unknown[]),
  const: (it) => quoted(it),
  format: (it) => `string of format ${it}`,
  pattern: (it) => `string that matches ${it}`,
  minLength: (it) => `string of length ${it} or more`,
  maxLength: (it) => `string of length ${it} or less`,
  minimum: (it) => `${it} or more`,
  maximum: (it) => `${it} or less`,
  exclusiveMinimum: (it) => `more than ${it}`,
  exclusiveMaximum: (it) => `less than ${it}`,
  multipleOf: (it) => `a multiple of ${it}`,
  minItems: (it) => `${it} items or more`,
  maxItems: (it) => `${it} items or less`,
  uniqueItems: () => 'an array without repetitions',
  minProperties: (it) => `${it} properties or more`,
  maxProperties: (it) => `${it} properties or less`,
  additionalProperties: () => 'no such property',
  unevaluatedProperties: () => 'no such property',
  items: () => 'no such item',
  unevaluatedItems: () => 'no such item',
  contains: () => 'an array with another kind of item',
  oneOf: (it) => `exactly one of ${(it as unknown[]).length} forms`,
  anyOf: (it) => `one of ${(it as unknown[]).length} forms`,
  not: () => 'another value',
}

/** One of some values. */
export function expectedOneOf(values: readonly unknown[]): string {
  return values.length === 1 ? quoted(values[0]) : `one of ${values.map(quoted).join(', ')}`
}

/** A value of some types. */
export function expectedTypes(types: readonly string[]): string {
  return anyOf(types.map(named))
}

function anyOf(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function named(type: unknown): string {
  return NAMES[String(type)] ?? String(type)
}

/** What kind of value came: of a string the length at most, since even a part of it may be personal. */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return `string of length ${[...value].length}`
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return named(typeOf(value))
}

import { quoted } from './json.ts'
import { typeOf } from './resolve.ts'

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
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
  format: (it) => `text of the format ${it}`,
  pattern: (it) => `text that matches ${it}`,
  minLength: (it) => `text of length ${it} or more`,
  maxLength: (it) => `text of length ${it} or less`,
  minimum: (it) => `${it} or more`,
  maximum: (it) => `${it} or less`,
  exclusiveMinimum: (it) => `more than ${it}`,
  exclusiveMaximum: (it) => `less than ${it}`,
  multipleOf: (it) => `a multiple of ${it}`,
  minItems: (it) => `${it} items or more`,
  maxItems: (it) => `${it} items or less`,
  uniqueItems: () => 'a list without repetitions',
  minProperties: (it) => `${it} members or more`,
  maxProperties: (it) => `${it} members or less`,
  additionalProperties: () => 'no such member',
  unevaluatedProperties: () => 'no such member',
  items: () => 'no such item',
  unevaluatedItems: () => 'no such item',
  contains: () => 'a list with another kind of item',
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

/** What kind of value came: of text the length at most, since even a part of it may be personal. */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return `text of length ${[...value].length}`
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number'
  if (typeof value === 'boolean') return 'true or false'
  return named(typeOf(value))
}

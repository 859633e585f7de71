/** Describes the value that a keyword of JSON Schema expects. */
export function expected(keyword: string, schema: unknown): string {
  return WORDS[keyword]?.(schema) ?? `a value that satisfies "${keyword}"`
}

const WORDS: Readonly<Record<string, (schema: unknown) => string>> = {
  required: () => 'a value',
  type: (it) => expectedTypes([it].flat().map(String)),
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
  minItems: (it) => `${it} items or more`,
  maxItems: (it) => `${it} items or fewer`,
  minProperties: (it) => `${it} properties or more`,
  maxProperties: (it) => `${it} properties or fewer`,
  additionalProperties: () => 'no such property',
  items: () => 'no such item',
}

/** Describes one of several values. */
export function expectedOneOf(values: readonly unknown[]): string {
  return values.length === 1 ? quoted(values[0]) : `one of ${values.map(quoted).join(', ')}`
}

/** Describes a value of one of several types. */
export function expectedTypes(types: readonly string[]): string {
  return types.length < 2 ? types.join() : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`
}

/**
 * The type of a value, with the length of a string. Never a part of the value, which may be
 * personal.
 */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return `string of length ${[...value].length}`
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return value === undefined ? 'nothing' : typeOf(value)
}

/** Quotes a value of the contract for a message. */
export function quoted(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

/**
 * The JSON Schema type of a value, with `number` for an integer; `undefined` for what is not JSON.
 */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return ['boolean', 'number', 'string', 'object'].includes(type) ? type : 'undefined'
}

/** Describes the value that a keyword of JSON Schema expects. */
export function expected(keyword: string, schema: unknown): string {
  return WORDS[keyword]?.(schema) ?? `a value that satisfies "${keyword}"`
}

const WORDS: Readonly<Record<string, (value: unknown) => string>> = {
  required: () => 'a value',
  type: (types) => expectedTypes([types].flat().map(String)),
  enum: (values) => expectedOneOf(values as unknown[]),
  const: (value) => quoted(value),
  format: (format) => `string of format ${format}`,
  pattern: (pattern) => `string that matches ${pattern}`,
  minLength: (length) => `string of length ${length} or more`,
  maxLength: (length) => `string of length ${length} or less`,
  minimum: (limit) => `${limit} or more`,
  maximum: (limit) => `${limit} or less`,
  exclusiveMinimum: (limit) => `more than ${limit}`,
  exclusiveMaximum: (limit) => `less than ${limit}`,
  minItems: (count) => `${count} items or more`,
  maxItems: (count) => `${count} items or fewer`,
  minProperties: (count) => `${count} properties or more`,
  maxProperties: (count) => `${count} properties or fewer`,
  additionalProperties: () => 'no such property',
  items: () => 'no such item',
}

/** Describes one of several values. */
export function expectedOneOf(values: readonly unknown[]): string {
  if (values.length === 1) return quoted(values[0])
  return `one of ${values.map(quoted).join(', ')}`
}

/** Describes a value of one of several types: `string, integer or null`. */
export function expectedTypes(types: readonly string[]): string {
  if (types.length < 2) return types.join()

  const allButLast = types.slice(0, -1).join(', ')
  return `${allButLast} or ${types[types.length - 1]}`
}

/**
 * The type of a value, with the length of a string. Never a part of the value, which may be
 * personal.
 */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return `string of length ${[...value].length}`
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (value === undefined) return 'nothing'
  return typeOf(value)
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
  return JSON_TYPES.has(type) ? type : 'undefined'
}

/** What `typeof` says of values that JSON can represent. */
const JSON_TYPES: ReadonlySet<string> = new Set(['boolean', 'number', 'string', 'object'])

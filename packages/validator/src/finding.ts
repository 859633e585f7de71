import { quoted, typeOf } from './json.ts'

/**
 * The part of a message that a finding is about.
 *
 * @example
 * const place: Place = 'media-type'
 */
export type Place = 'method' | 'path' | 'query' | 'header' | 'status' | 'media-type' | 'body'

/**
 * A difference between a message and the contract.
 *
 * @example
 * const findings: Finding[] = createValidator().validateRequest({ method: 'GET', path: '/' })
 * for (const { place, pointer, message } of findings) console.log(`${place}${pointer}: ${message}`)
 */
export interface Finding {
  /** The part of the message. */
  readonly place: Place
  /** JSON pointer (RFC 6901) into that part: `/users/0/id` of a body, `/limit` of a query. Empty for the whole part. */
  readonly pointer: string
  /** JSON pointer to the failed keyword in the document. */
  readonly contract: string
  /** The failed keyword of JSON Schema or OpenAPI; `unknown` for a property that the contract does not declare. */
  readonly keyword: string
  /** What was expected and what type was received; never the value, which may be personal. */
  readonly message: string
  /** The open question about the keyword, if it is an assumption. Absent if it is a fact. */
  readonly question?: string
}

/** Creates a finding; omits an undefined `question`. */
export function finding(it: Omit<Finding, 'question'>, question: string | undefined): Finding {
  return question === undefined ? it : { ...it, question }
}

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

/** The type of a value, with the length of a string. Never a part of the value, which may be personal. */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return `string of length ${[...value].length}`
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return value === undefined ? 'nothing' : typeOf(value)
}

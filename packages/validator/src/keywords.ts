import { isNode } from './json.ts'

/** A requirement for the value of a keyword. */
interface Rule {
  readonly expected: string
  readonly isMet: (value: unknown) => boolean
}

const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

const isString = (it: unknown): it is string => typeof it === 'string'
const isNumber = (it: unknown) => typeof it === 'number'
const isCount = (it: unknown) => Number.isInteger(it) && Number(it) >= 0
const isType = (it: unknown) => isString(it) && TYPES.includes(it)
const isFilled = (it: unknown) => Array.isArray(it) && it.length > 0
const isObject = (it: unknown) => isNode(it) && !Array.isArray(it)
const isPattern = (it: unknown) => isString(it) && regExpOf(it) !== undefined

const string: Rule = { expected: 'a string', isMet: isString }
const number: Rule = { expected: 'a number', isMet: isNumber }
const count: Rule = { expected: 'a non-negative integer', isMet: isCount }
const schemas: Rule = { expected: 'an array of one schema or more', isMet: isFilled }
const anything: Rule = { expected: 'a value', isMet: () => true }

/**
 * The implemented keywords of a schema, with their valid values (JSON Schema Validation, draft 2020-12, section 6). The
 * last row is annotations, which say nothing about validity.
 */
const RULES: Readonly<Record<string, Rule>> = {
  $ref: string,
  type: {
    expected: `one or more of ${TYPES.join(', ')}`,
    isMet: (it) => isType(it) || (Array.isArray(it) && it.length > 0 && it.every(isType)),
  },
  const: anything,
  enum: { expected: 'an array of one value or more', isMet: isFilled },
  ...each('maximum minimum exclusiveMaximum exclusiveMinimum', number),
  ...each('maxLength minLength maxItems minItems maxProperties minProperties', count),
  pattern: { expected: 'a regular expression', isMet: isPattern },
  format: string,
  required: { expected: 'an array of strings', isMet: (it) => Array.isArray(it) && it.every(isString) },
  ...each('allOf anyOf oneOf', schemas),
  properties: { expected: 'an object', isMet: isObject },
  ...each('items additionalProperties discriminator', anything),
  ...each('title description default deprecated example examples externalDocs', anything),
  ...each('$comment contentEncoding contentMediaType', anything),
}

function each(keywords: string, rule: Rule): Record<string, Rule> {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, rule]))
}

/** Whether the validator implements a keyword of a schema. Extensions have no effect on validity. */
export function isImplemented(keyword: string): boolean {
  return keyword.startsWith('x-') || Object.hasOwn(RULES, keyword)
}

/** The requirement that a keyword value violates; undefined if it is valid. */
export function expectedValueOf(keyword: string, value: unknown): string | undefined {
  const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined
  return rule && !rule.isMet(value) ? rule.expected : undefined
}

/** With Unicode, as JSON Schema requires; without it if the pattern has escapes that Unicode mode forbids. */
export function regExpOf(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {}
  }
  return undefined
}

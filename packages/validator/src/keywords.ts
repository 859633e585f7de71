import { isNode, type Node } from './json.ts'

/** A requirement for the value of a keyword. */
export interface Rule {
  readonly expected: string
  readonly isMet: (value: unknown) => boolean
}

const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

const isText = (it: unknown): it is string => typeof it === 'string'
const isName = (it: unknown) => isText(it) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(it)
const isNumber = (it: unknown): it is number => typeof it === 'number'
const isCount = (it: unknown) => Number.isInteger(it) && Number(it) >= 0
const isType = (it: unknown) => isText(it) && TYPES.includes(it)
const isMap = (it: unknown): it is Node => isNode(it) && !Array.isArray(it)
const isListOf = (of: (it: unknown) => boolean) => (it: unknown) => Array.isArray(it) && it.every(of)
const isPattern = (it: unknown) => isText(it) && regExpOf(it) !== undefined

const text: Rule = { expected: 'a string', isMet: isText }
const name: Rule = { expected: 'a name of letters, digits, ".", "_" and "-"', isMet: isName }
const number: Rule = { expected: 'a number', isMet: isNumber }
const count: Rule = { expected: 'a non-negative integer', isMet: isCount }
const flag: Rule = { expected: 'a boolean', isMet: (it) => typeof it === 'boolean' }
const values: Rule = {
  expected: 'an array of one value or more',
  isMet: (it) => Array.isArray(it) && it.length > 0,
}
const schemas: Rule = {
  expected: 'an array of one schema or more',
  isMet: (it) => Array.isArray(it) && it.length > 0,
}
const map: Rule = { expected: 'an object', isMet: isMap }
const names: Rule = { expected: 'an array of strings', isMet: isListOf(isText) }

/** The valid keyword values (meta-schema of JSON Schema); keywords of older drafts have none. */
const RULES: Readonly<Record<string, Rule>> = {
  $ref: text,
  $dynamicRef: text,
  $id: { expected: 'a URI reference without a fragment', isMet: (it) => isText(it) && /^[^#]*#?$/.test(it) },
  $anchor: name,
  $dynamicAnchor: name,
  $recursiveRef: { expected: '"$dynamicRef", which replaced it in draft 2020-12', isMet: () => false },
  type: {
    expected: `one or more of ${TYPES.join(', ')}`,
    isMet: (it) => isType(it) || (Array.isArray(it) && it.length > 0 && it.every(isType)),
  },
  enum: values,
  multipleOf: { expected: 'a number above 0', isMet: (it) => isNumber(it) && it > 0 },
  ...each('maximum minimum exclusiveMaximum exclusiveMinimum', number),
  ...each('maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties', count),
  uniqueItems: flag,
  pattern: { expected: 'a regular expression', isMet: isPattern },
  format: text,
  required: names,
  dependentRequired: {
    expected: 'an object of arrays of strings',
    isMet: (it) => isMap(it) && Object.values(it).every(names.isMet),
  },
  ...each('allOf anyOf oneOf prefixItems', schemas),
  ...each('$defs properties dependentSchemas', map),
  patternProperties: map,
}

function each(keywords: string, rule: Rule): Record<string, Rule> {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, rule]))
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

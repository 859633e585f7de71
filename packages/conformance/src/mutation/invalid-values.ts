import { nodeOf } from '../model/document.ts'
import type { Choice } from './schema-places.ts'

/** Invalid values are computed here, independently of the validator, because the checker under test uses it. */
export const KEYWORDS = [
  'enum',
  'const',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'maxProperties',
] as const

type Keyword = (typeof KEYWORDS)[number]

/** Invalid for every format. */
const NO_FORMAT = '<< ^ >>'

/** Values that break a keyword, given its limit and the current value. */
const INVALID: Readonly<Record<Keyword, (limit: number, now: unknown) => readonly unknown[]>> = {
  enum: () => ['UNDECLARED', 987_654_321],
  const: () => ['UNDECLARED', 987_654_321],
  pattern: (_, now) => ['~', `${now}~`, '', `~${now}`, '0', 'x'.repeat(300)],
  format: () => [NO_FORMAT],
  minLength: (limit, now) => (limit > 0 ? [text(now).slice(0, limit - 1), 'x'.repeat(limit - 1)] : []),
  maxLength: (limit, now) => [text(now).padEnd(limit + 1, text(now).at(-1) ?? 'x'), 'x'.repeat(limit + 1)],
  minimum: (limit) => [limit - 1],
  maximum: (limit) => [limit + 1],
  exclusiveMinimum: (limit) => [limit],
  exclusiveMaximum: (limit) => [limit],
  multipleOf: (limit) => [limit / 2],
  minItems: (limit, now) => (limit > 0 ? [list(now).slice(0, limit - 1)] : []),
  maxItems: (limit, now) => [
    Array.from({ length: limit + 1 }, (_, i) => list(now)[i % list(now).length] ?? null),
  ],
  maxProperties: (limit, now) => [
    {
      ...nodeOf(now),
      ...Object.fromEntries(Array.from({ length: limit + 1 }, (_, i) => [`more_${i}`, null])),
    },
  ],
}

export function invalidCandidates(keyword: Keyword, limit: unknown, now: unknown): readonly unknown[] {
  return INVALID[keyword](Number(limit), now)
}

/** A value that no alternative allows. */
export function invalidValue(
  choices: readonly Choice[],
  keyword: Keyword,
  limit: unknown,
  now: unknown,
): unknown {
  return invalidCandidates(keyword, limit, now).find((it) => !choices.some((choice) => isAllowed(choice, it)))
}

/** A value of a type that no alternative allows. */
export function otherType(choices: readonly Choice[]): unknown {
  return [7, 'seven', true, {}, []].find((it) => !choices.some((choice) => isAllowedType(choice, it)))
}

/** Whether a value satisfies the types and keywords of all schemas. Nested schemas are not checked. */
function isAllowed(choice: Choice, value: unknown): boolean {
  return (
    isAllowedType(choice, value) &&
    choice.every(({ node }) => KEYWORDS.every((it) => isValid(it, node[it], value)))
  )
}

export function isAllowedType(choice: Choice, value: unknown): boolean {
  return choice.every(
    ({ node: { type } }) => type === undefined || [type].flat().some((it) => isOf(String(it), value)),
  )
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

const VALID: Readonly<Record<Keyword, (limit: unknown, value: unknown) => boolean>> = {
  enum: (limit, value) => Array.isArray(limit) && limit.some((it) => it === value),
  const: (limit, value) => limit === value,
  pattern: (limit, value) => typeof value !== 'string' || new RegExp(String(limit), 'u').test(value),
  format: (_, value) => value !== NO_FORMAT,
  minLength: (limit, value) => typeof value !== 'string' || [...value].length >= Number(limit),
  maxLength: (limit, value) => typeof value !== 'string' || [...value].length <= Number(limit),
  minimum: (limit, value) => typeof value !== 'number' || value >= Number(limit),
  maximum: (limit, value) => typeof value !== 'number' || value <= Number(limit),
  exclusiveMinimum: (limit, value) => typeof value !== 'number' || value > Number(limit),
  exclusiveMaximum: (limit, value) => typeof value !== 'number' || value < Number(limit),
  multipleOf: (limit, value) => typeof value !== 'number' || value % Number(limit) === 0,
  minItems: (limit, value) => !Array.isArray(value) || value.length >= Number(limit),
  maxItems: (limit, value) => !Array.isArray(value) || value.length <= Number(limit),
  maxProperties: (limit, value) =>
    !isOf('object', value) || Object.keys(nodeOf(value)).length <= Number(limit),
}

function isValid(keyword: Keyword, limit: unknown, value: unknown): boolean {
  return limit === undefined || VALID[keyword](limit, value)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

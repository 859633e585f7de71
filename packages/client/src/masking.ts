import { fieldNames, nestingFields } from './generated/field-names.ts'
import { UNMASKED_FIELDS } from './unmasked-fields.ts'

/** Replaces a value without revealing its length. */
const MASK = '***'

/** A short word or a date; not a sentence or an address. */
const WORD = /^[\w.:+-]{0,64}$/

/** Headers that are not personal, with the pattern that a value must match to be shown. */
const UNMASKED_HEADERS = Object.entries({
  'content-type': /^[\w.+-]{1,64}\/[\w.+-]{1,64}(; ?charset=[\w-]{1,16})?$/,
  'retry-after': /^(\d{1,9}|\w{3}, [\w :]{1,26})$/,
  'x-request-id': WORD,
})

/** Maximum nesting depth; the contract has five levels. */
const MAX_DEPTH = 10

/**
 * Copies a body or a query for the log, and masks every value that is not known to be harmless.
 * Also masks the names of fields that the contract does not declare, since a name may be a document
 * number, and everything below them.
 *
 * @example
 * masked({ status: 'ok', name: 'Ana' }) // { status: 'ok', name: '***' }
 */
export function masked(value: unknown, name = 'data', depth = 0): unknown {
  const isScalar = typeof value !== 'object' || value === null
  if (isScalar) return isHarmless(name, value) ? value : MASK

  const isFreeForm = !nestingFields.has(name)
  if (isFreeForm || depth > MAX_DEPTH) return MASK

  if (Array.isArray(value)) return value.map((item) => masked(item, name, depth + 1))

  const fields = Object.entries(value).map(([fieldName, fieldValue]) => [
    fieldNames.has(fieldName) ? fieldName : MASK,
    masked(fieldValue, fieldName, depth + 1),
  ])
  return Object.fromEntries(fields)
}

function isHarmless(name: string, value: unknown): boolean {
  if (!UNMASKED_FIELDS.has(name)) return false
  return typeof value !== 'string' || WORD.test(value)
}

/**
 * The headers that are not personal, each with its value, or masked if the value has an unusual
 * form. Leaves out all others, also their names.
 */
export function safeHeaders(headers: Headers): Record<string, string> {
  const safe: Record<string, string> = {}
  for (const [name, pattern] of UNMASKED_HEADERS) {
    const value = headers.get(name)
    if (value !== null) safe[name] = pattern.test(value) ? value : MASK
  }
  return safe
}

import { valueAt } from '@partner-payments/contract'
import { rules } from './generated/rules.ts'
import type { ReadResponse, SentRequest } from './operation.ts'
import { readProperty, readText } from './property.ts'

/**
 * Describes the `errors` of a refusal for its error message: the field, the rule and the value that
 * was sent. Leaves out the text of the service, since it may be personal. Empty if there are no
 * `errors`, else such as `: /amount must match ^[0-9]+$, got "1.5"`.
 */
export function describeFieldErrors(request: SentRequest, { data }: ReadResponse): string {
  const errors = readProperty(data, 'errors')
  if (!Array.isArray(errors)) return ''

  const fieldErrors: string[] = []
  for (const error of errors.slice(0, MAX_FIELDS)) {
    const text = describeFieldError(request, error)
    if (text) fieldErrors.push(text)
  }
  if (fieldErrors.length === 0) return ''

  return `: ${fieldErrors.join('; ')}`
}

/** Maximum number of fields in a message. */
const MAX_FIELDS = 3

/**
 * Describes one of the `errors` of a refusal: `{ pointer: '/amount', code: 'pattern' }` becomes
 * `/amount must match ^[0-9]+$, got "1.5"`. Empty if pointer or code do not look like one: the service
 * wrote them, so they may be personal data.
 */
function describeFieldError({ input }: SentRequest, error: unknown): string {
  const pointer = readText(error, 'pointer')
  const code = readText(error, 'code')
  const isPointer = /^[\w/.-]{1,100}$/.test(pointer)
  const isCode = /^\w{1,40}$/.test(code)
  if (!isPointer || !isCode || hasTaxId(code)) return ''

  const field = maskNumbers(pointer)
  // A code of several words, such as `initiation_used`, says enough without the value.
  if (code.includes('_')) return `${field} ${code}`

  // A query parameter, named without a slash, is not in the body.
  const isParameter = /^\w/.test(pointer)
  if (isParameter) return `${field} breaks "${code}"`

  const value = valueAt(input, pointer)
  const { isPersonal, pattern } = findFieldRule(pointer)
  const shown = showValue(value, isPersonal)
  const breaksPattern = typeof value === 'string' && !new RegExp(pattern).test(value)
  if (breaksPattern) return `${field} must match ${pattern}, got ${shown}`
  return `${field} breaks "${code}", got ${shown}`
}

/** A step with many digits is no field of the contract, but may be a document number. */
function maskNumbers(pointer: string): string {
  const steps = pointer.split('/')
  return steps.map((step) => (/\d{5}/.test(step) ? '***' : step)).join('/')
}

interface FieldRule {
  /** Whether the values of the field may be personal, so that no message shows them. */
  readonly isPersonal: boolean
  /** The pattern of its values; empty, which every value matches, if it has none. */
  readonly pattern: string
}

/**
 * The rule of the field that a pointer ends with, such as `amount` of `/data/amount`. Only fields whose
 * values may be shown have one; every other field counts as personal, with a pattern that all match.
 */
function findFieldRule(pointer: string): FieldRule {
  const [name = ''] = pointer.split(/\W/).slice(-1)
  const isKnown = Object.keys(rules).includes(name)
  const pattern = isKnown ? (rules[name] ?? '') : ''
  return { isPersonal: !isKnown, pattern }
}

/**
 * The value that was sent, for an error message. Shows only short values without spaces, of fields
 * that are not personal; `***` stands for all others.
 */
function showValue(value: unknown, isPersonal: boolean): string {
  if (value === undefined) return 'nothing'
  if (isPersonal) return '***'

  // An object may be nested too deeply to be printed.
  if (typeof value === 'object') return '***'

  const text = JSON.stringify(value)
  const isShort = /^"?[\w.,:+-]{0,32}"?$/.test(text)
  return isShort ? text : '***'
}

/** The header x-request-id, else `request_id` of the problem. */
export function readRequestId({ response, data }: Omit<ReadResponse, 'text'>): string | undefined {
  const stated = readText(data, 'request_id')
  return response.headers.get('x-request-id') ?? (stated || undefined)
}

/** Returns ` (request req_1)` if the response has a well-formed request id. */
export function requestNote(result: ReadResponse): string {
  const id = safeRequestId(result)
  return id ? ` (request ${id})` : ''
}

/** The request id, if it is well formed. */
export function safeRequestId(result: Omit<ReadResponse, 'text'>): string | undefined {
  return safeId(readRequestId(result))
}

/** An id, if it is well formed, so that it can be printed. */
export function safeId(id = ''): string | undefined {
  return /^[\w.:+-]{1,64}$/.test(id) ? id : undefined
}

/** The `code` of a body, if it has one of the form of codes. */
export function readCode(data: unknown): string | undefined {
  const code = readText(data, 'code')
  return /^\w{1,64}$/.test(code) && !hasTaxId(code) ? code : undefined
}

/** Whether a word has as many digits in a row as a CPF, so that it may be one. */
function hasTaxId(word: string): boolean {
  return /\d{11}/.test(word)
}

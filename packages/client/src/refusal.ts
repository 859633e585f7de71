import { valueAt } from '@partner-payments/text'
import type { Problem } from './generated/contract.ts'
import { rules } from './generated/rules.ts'
import type { ReadResponse, SentRequest } from './operation.ts'

/**
 * Describes a refusal from the `errors` of its problem details: the field, the rule and the value
 * that was sent. Leaves out the text of the service, since it may be personal.
 */
export function refusalOf(request: SentRequest, { data }: ReadResponse): string {
  const { errors } = Object(data)
  if (!Array.isArray(errors)) return ''
  const fields = errors.slice(0, MAX_FIELDS).map((it) => fieldErrorOf(request, Object(it)))
  const text = fields.filter(Boolean).join('; ')
  return text && `: ${text}`
}

/** Maximum number of fields in a message. */
const MAX_FIELDS = 3

function fieldErrorOf({ input }: SentRequest, error: Readonly<Record<string, unknown>>): string {
  const { pointer = '', code = '' } = error
  const where = `${pointer} ${code}`
  if (!/^[\w/.-]{1,100} \w{1,40}$/.test(where)) return ''
  // The code of a business rule is enough.
  if (`${code}`.includes('_')) return where
  const breaks = `${pointer} breaks "${code}"`
  // A query parameter is not in the body.
  if (/^\w/.test(where)) return breaks
  const value = valueAt(input, `${pointer}`)
  const name = `${pointer}`.split(/\W/).at(-1) ?? ''
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  const isBroken = rule && typeof value === 'string' && !new RegExp(rule).test(value)
  return `${isBroken ? `${pointer} must match ${rule}` : breaks}, got ${shown(value, rule)}`
}

/** Shows only short values without spaces, of fields that are not personal. */
function shown(value: unknown, rule: string | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return value === undefined || (rule !== undefined && /^"?[\w.,:+-]{0,32}"?$/.test(text))
    ? text
    : '***'
}

/** The header x-request-id, else `request_id` of the problem. */
export function requestIdOf({ response, data }: Omit<ReadResponse, 'text'>): string | undefined {
  return response.headers.get('x-request-id') ?? (data as Partial<Problem> | undefined)?.request_id
}

/** Returns ` (request req_1)` if the response has a well-formed request id. */
export function requestNote(result: ReadResponse): string {
  const id = safeRequestId(result)
  return id ? ` (request ${id})` : ''
}

/** The request id, if it is well formed. */
export function safeRequestId(result: Omit<ReadResponse, 'text'>): string | undefined {
  const id = `${requestIdOf(result) ?? ''}`
  return /^[\w.:+-]{1,64}$/.test(id) ? id : undefined
}

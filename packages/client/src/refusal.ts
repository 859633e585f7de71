import { valueAt } from './echoes.ts'
import type { Problem } from './generated/contract.ts'
import { rules } from './generated/rules.ts'
import type { Attempt, Reply } from './middleware.ts'
import type { Operation } from './operation.ts'

/**
 * What the service refused, by the `errors` of its problem details: where, which rule, and what was sent. Its own words
 * are left out, since they may be personal.
 */
export function refusalOf(operation: Operation, { data }: Reply): string {
  const { errors } = Object(data)
  if (!Array.isArray(errors)) return ''
  const places = errors.slice(0, MOST).map((it) => placeOf(operation, Object(it)))
  const text = places.filter(Boolean).join('; ')
  return text && `: ${text}`
}

/** Places that are named at most. */
const MOST = 3

function placeOf({ input }: Partial<Attempt>, { pointer = '', code = '' }: Fault): string {
  const where = `${pointer} ${code}`
  if (!/^[\w/.-]{1,100} \w{1,40}$/.test(where)) return ''
  // The code of a business rule says it all.
  if (/_\w*$/.test(where)) return where
  const breaks = `${pointer} breaks "${code}"`
  // A parameter of the query, which is no part of the body.
  if (/^\w/.test(where)) return breaks
  const value = valueAt(input, `${pointer}`)
  const [name = ''] = /\w*$/.exec(`${pointer}`) ?? []
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  const isBroken = rule && typeof value === 'string' && !new RegExp(rule).test(value)
  return `${isBroken ? `${pointer} must match ${rule}` : breaks}, got ${shown(value, rule)}`
}

interface Fault {
  readonly pointer?: unknown
  readonly code?: unknown
}

/** A short value without spaces, of a property that has nothing personal. */
function shown(value: unknown, rule: string | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return value === undefined || (rule !== undefined && /^"?[\w.,:+-]{0,32}"?$/.test(text)) ? text : '***'
}

/** The header x-request-id, else `request_id` of the problem. */
export function requestIdOf({ response, data }: Reply): string | undefined {
  return response.headers.get('x-request-id') ?? (data as Partial<Problem> | undefined)?.request_id
}

/** ` (request req_1)`, where the response has an id that looks like one. */
export function requestNote(reply: Reply): string {
  const id = requestIdOf(reply)
  return id && /^[\w.:+-]{1,64}$/.test(id) ? ` (request ${id})` : ''
}

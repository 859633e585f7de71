import type { Operation, Preference } from './operation.ts'
import { Refusal } from './problems.ts'

/** Characters of a header, which no preference of this mock needs. */
const MAX_LENGTH = 1000

/**
 * Reads the preferred response: `Prefer: code=404, example=notFound, dynamic=true` (RFC 7240), or
 * the query parameters `__code`, `__example` and `__dynamic` for clients that cannot set headers.
 * Ignores other preferences.
 *
 * @throws {Refusal} invalid_request for a response that the operation does not declare, so that a
 *   test does not get another one unnoticed; or for a header of more than 1000 characters
 */
export function readPreference(request: Request, operation: Operation): Preference {
  const { code, example, dynamic } = preferences(request)
  const preference: Preference = {}
  if (code !== undefined) preference.code = Number(code)
  if (example !== undefined) preference.example = example
  if (dynamic !== undefined) preference.dynamic = dynamic === 'true'

  const response = declaredResponse(preference, operation)
  const statuses = operation.responses.map(({ status }) => status)
  if (!response) refuse('code', code, statuses)

  const names = response.examples.map(({ name }) => name)
  if (example !== undefined && !names.includes(example)) refuse('example', example, names)

  return preference
}

/** The preferred response; by default the lowest success status. */
export function declaredResponse({ code }: Preference, { responses }: Operation) {
  if (code !== undefined) return responses.find(({ status }) => status === code)

  const successes = responses.filter(({ status }) => status < 300)
  const [lowest] = successes.sort((a, b) => a.status - b.status)
  return lowest
}

function preferences(request: Request): Record<string, string | undefined> {
  const header = request.headers.get('prefer')
  if (header === null) return fromQuery(new URL(request.url).searchParams)
  if (header.length > MAX_LENGTH) refuseLength(header)
  return Object.fromEntries(header.split(',').map(pairOf))
}

/** The name and the value of a preference; the name is empty if it has no value. */
function pairOf(preference: string): [name: string, value: string] {
  const equals = Math.max(preference.indexOf('='), 0)
  const value = preference.slice(equals + 1).trim()
  const unquoted = value.replace(/^"|"$/g, '')
  return [preference.slice(0, equals).trim().toLowerCase(), unquoted]
}

function fromQuery(query: URLSearchParams): Record<string, string | undefined> {
  return {
    code: query.get('__code') ?? undefined,
    example: query.get('__example') ?? undefined,
    dynamic: query.get('__dynamic') ?? undefined,
  }
}

function refuse(name: string, value: string | undefined, declared: (string | number)[]): never {
  const detail = `"${name}" must be one of ${declared.join(', ')}, got "${value}".`
  throw invalid('The contract does not declare the preferred response.', name, detail)
}

function refuseLength({ length }: string): never {
  const detail = `Prefer must have at most ${MAX_LENGTH} characters, got ${length}.`
  throw invalid('The header Prefer is too long.', 'maxLength', detail)
}

function invalid(summary: string, code: string, detail: string): Refusal {
  return new Refusal('invalid_request', {
    detail: summary,
    errors: [{ pointer: 'prefer', code, detail }],
  })
}

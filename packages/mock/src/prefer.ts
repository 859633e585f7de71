import type { Operation, Preference } from './operation.ts'
import { Refusal } from './problems.ts'

/** Characters of a header, which no preference of this mock needs. */
const MAX_LENGTH = 1000

/** The preferences that this mock takes. Others say nothing to it. */
const NAMES = ['code', 'example', 'dynamic'] as const
type Name = (typeof NAMES)[number]

/** The values of the preferences that a request has. */
type Values = Readonly<Partial<Record<Name, string>>>

/**
 * Reads the preferred response: `Prefer: code=404, example=notFound, dynamic=true` (RFC 7240,
 * section 2), or the query parameters `__code`, `__example` and `__dynamic` for clients that cannot
 * set headers. Of a preference that occurs twice, the first one counts, and the header before the
 * query.
 *
 * @throws {Refusal} invalid_request for a response that the operation does not declare, or for a
 *   value that a preference cannot have, so that a test does not get another response unnoticed; or
 *   for a header of more than 1000 characters
 */
export function readPreference(request: Request, operation: Operation): Preference {
  const { code, example, dynamic } = readValues(request)
  const statuses = operation.responses.map(({ status }) => status)
  const preference: Preference = {}
  if (code !== undefined) preference.code = readStatus(code, statuses)
  if (example !== undefined) preference.example = example
  if (dynamic !== undefined) preference.dynamic = readBoolean(dynamic)

  const response = preferredResponse(preference, operation)
  if (!response) refuse('code', code, statuses)

  const names = response.examples.map(({ name }) => name)
  if (example !== undefined && !names.includes(example)) refuse('example', example, names)

  return preference
}

/**
 * The header `preference-applied`, which says what of the caller's preferences the response follows
 * (RFC 7240, section 3). No header if there is none.
 */
export function appliedHeader({ code, example, dynamic }: Preference): Record<string, string> {
  const applied: string[] = []
  if (code !== undefined) applied.push(`code=${code}`)
  if (example !== undefined) applied.push(`example=${quotedWord(example)}`)
  // An example that is named is not generated.
  if (dynamic !== undefined && example === undefined) applied.push(`dynamic=${dynamic}`)
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') }
}

function quotedWord(value: string): string {
  const isToken = /^[\w!#$%&'*+.^`|~-]+$/.test(value)
  return isToken ? value : JSON.stringify(value)
}

/** A status is written in three digits. */
function readStatus(code: string, statuses: readonly number[]): number {
  return /^\d{3}$/.test(code) ? Number(code) : refuse('code', code, statuses)
}

/** `dynamic=true` or only `dynamic` is true, `dynamic=false` is false, and all else is refused. */
function readBoolean(dynamic: string): boolean {
  switch (dynamic.toLowerCase()) {
    case '':
    case 'true':
      return true
    case 'false':
      return false
    default:
      return refuse('dynamic', dynamic, ['true', 'false'])
  }
}

/** The response with the preferred status; by default that of success. */
function preferredResponse({ code }: Preference, operation: Operation) {
  if (code === undefined) return successResponse(operation)
  return operation.responses.find(({ status }) => status === code)
}

/** The response with the lowest status of success. */
export function successResponse({ responses }: Operation) {
  const successes = responses.filter(({ status }) => status < 300)
  const [lowest] = successes.sort((a, b) => a.status - b.status)
  return lowest
}

/**
 * The preferences of a request as text, by name: those in the query, and those in the header, which
 * come first.
 */
function readValues(request: Request): Values {
  const query = readQuery(new URL(request.url).searchParams)
  const header = request.headers.get('prefer')
  if (header === null) return query

  if (header.length > MAX_LENGTH) refuseLength(header)
  return { ...query, ...readHeader(header) }
}

/**
 * The preferences in the header, as text by name: `code=404, example=notFound` gives
 * `{ code: '404', example: 'notFound' }`. Several headers are one list.
 */
function readHeader(header: string): Values {
  const values: Partial<Record<Name, string>> = {}
  for (const part of split(header, ',')) {
    const [preference = '', ...parameters] = split(part, ';')
    const { name, value } = parsePreference(preference)
    if (!isName(name)) continue

    refusePreferencesIn(parameters, name)
    values[name] ??= value
  }
  return values
}

/** Refuses parameters of a preference that are preferences, separated by the wrong character. */
function refusePreferencesIn(parameters: readonly string[], preference: Name): void {
  for (const parameter of parameters) {
    const { name } = parsePreference(parameter)
    if (isName(name)) refuseParameter(name, preference)
  }
}

function isName(name: string): name is Name {
  return NAMES.some((known) => known === name)
}

/**
 * The parts of a text between separators: `a="1,2", b` gives `a="1,2"` and ` b` for a comma. A
 * separator in a quoted string does not count. A quote after a backslash does not end the string.
 */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  let isEscaped = false
  for (const character of text) {
    const isEnd = character === separator && !isQuoted
    if (isEnd) {
      parts.push(part)
      part = ''
      continue
    }

    part += character
    if (character === '"' && !isEscaped) isQuoted = !isQuoted
    // A backslash escapes the next character, unless it is escaped itself.
    isEscaped = isQuoted && character === '\\' && !isEscaped
  }
  return [...parts, part]
}

/**
 * The name and the value of a preference: `code=404` gives `{ name: 'code', value: '404' }`. The
 * value is empty if there is none.
 */
function parsePreference(preference: string): { readonly name: string; readonly value: string } {
  const equals = preference.indexOf('=')
  if (equals === -1) return { name: preference.trim().toLowerCase(), value: '' }

  const name = preference.slice(0, equals).trim().toLowerCase()
  const value = preference.slice(equals + 1).trim()
  return { name, value: unquoted(value) }
}

/** The text of a token or a quoted string. */
function unquoted(word: string): string {
  const isQuoted = word.length > 1 && word.startsWith('"') && word.endsWith('"')
  return isQuoted ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word
}

/** The preferences in the query, as text by name: `__code=404` gives `{ code: '404' }`. */
function readQuery(query: URLSearchParams): Values {
  const values: Partial<Record<Name, string>> = {}
  for (const name of NAMES) {
    const value = query.get(`__${name}`)
    if (value !== null) values[name] = value
  }
  return values
}

/** Refuses a preference for a response that the operation does not declare. */
function refuse(
  name: Name,
  value: string | undefined,
  declared: readonly (string | number)[],
): never {
  const detail = `"${name}" must be one of ${declared.join(', ')}, got "${value}".`
  throw invalid('The contract does not declare the preferred response.', name, detail)
}

function refuseParameter(parameter: Name, preference: Name): never {
  const detail = `"${parameter}" is a parameter of "${preference}" here. Separate preferences by a comma.`
  throw invalid('The header Prefer has a preference after a semicolon.', parameter, detail)
}

function refuseLength({ length }: string): never {
  const detail = `Prefer must have at most ${MAX_LENGTH} characters, got ${length}.`
  throw invalid('The header Prefer is too long.', 'maxLength', detail)
}

/** The refusal of a request whose preference is wrong. */
function invalid(summary: string, code: string, detail: string): Refusal {
  return new Refusal('invalid_request', {
    detail: summary,
    errors: [{ pointer: 'prefer', code, detail }],
  })
}

/** What an option must be, in words and as a test. */
export type Expected = readonly [what: string, isValid: (value: unknown) => boolean]

/** What each option of a function must be. The compiler reports a new option that is missing. */
export type Expectations<Options> = Readonly<Record<keyof Options, Expected>>

/**
 * Validates the options of a function at run time, for callers without TypeScript. A misspelt option would be ignored.
 *
 * @throws {TypeError} if one is unknown or invalid
 */
export function validateOptions<Options extends object>(
  name: string,
  options: Options,
  expected: Expectations<Options>,
): void {
  for (const [option, value] of Object.entries(options)) {
    const known = Object.hasOwn(expected, option) ? expected[option as keyof Options] : undefined
    if (!known)
      throw new TypeError(`${name} has no option "${option}"; it has ${Object.keys(expected).join(', ')}`)
    const [what, isValid] = known
    if (value !== undefined && !isValid(value)) throw new TypeError(`${option} must be ${what}`)
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string' && value !== ''
const has = (value: unknown, ...fields: readonly string[]) =>
  isObject(value) && fields.every((it) => isText((value as Record<string, unknown>)[it]))

export const BOOLEAN: Expected = ['a boolean', (it) => typeof it === 'boolean']
export const FUNCTION: Expected = ['a function', (it) => typeof it === 'function']
export const DOCUMENT: Expected = ['an object, a parsed OpenAPI document', isObject]
export const BASE_URL: Expected = [
  'a URL such as http://127.0.0.1:4020, without credentials, query and fragment',
  isBaseUrl,
]
export const RECEIVER_URL: Expected = ['a URL of http or https', (it) => isHttp(it)]
export const CREDENTIALS: Expected = [
  '{ clientKey, clientSecret } or { token }, each of them a string',
  (it) => has(it, 'clientKey', 'clientSecret') || has(it, 'token'),
]
export const AMOUNT: Expected = [
  "{ maxAmount }, a string with two decimals above 0.00, such as '1.00'",
  (it) => has(it, 'maxAmount') && isAmount((it as { maxAmount: string }).maxAmount),
]
export const VALUES: Expected = [
  '{ operation: { pointer: value } }',
  (it) => isObject(it) && Object.values(it as object).every(isObject),
]
/** In test environments that replace the class, `instanceof` fails. */
export const SIGNAL: Expected = ['an AbortSignal', (it) => isObject(it) && 'aborted' in (it as object)]

function isAmount(text: string): boolean {
  return /^\d{1,9}\.\d{2}$/.test(text) && /[1-9]/.test(text)
}

export function oneOf(...words: readonly string[]): Expected {
  return [words.join(', '), (it) => typeof it === 'string' && words.includes(it)]
}

/** @param words Default: any. */
export function listOf(what: string, words?: readonly string[]): Expected {
  return [
    `a list of ${what}, at least one`,
    (it) =>
      Array.isArray(it) && it.length > 0 && it.every((word) => words?.includes(String(word)) ?? isText(word)),
  ]
}

export function between(min: number, max: number, isInteger = false): Expected {
  return [
    `${isInteger ? 'an integer' : 'a number'} from ${min} to ${max}`,
    (it) => typeof it === 'number' && it >= min && it <= max && (!isInteger || Number.isInteger(it)),
  ]
}

function isHttp(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

function isBaseUrl(value: unknown): boolean {
  if (!isHttp(value)) return false
  const { username, password, search, hash } = new URL(String(value))
  return username + password + search + hash === ''
}

/** The URL without a trailing slash. */
export function baseOf(url: string): string {
  return new URL(url).href.replace(/\/$/, '')
}

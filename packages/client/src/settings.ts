import { systemClock } from './clock.ts'
import { ConfigError, show } from './errors.ts'
import { copyClientHeaders } from './headers.ts'
import type { Auth, ClientOptions } from './options.ts'

/** The validated options with defaults filled in. */
export type Settings = {
  readonly [name in Exclude<keyof ClientOptions, 'headers'>]-?: NonNullable<ClientOptions[name]>
} & {
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** The default of `onCall`: there is no log. */
export function ignoreRecord(): void {}

const DEFAULTS: Settings = {
  baseUrl: '',
  auth: {} as Auth,
  timeout: 60_000,
  attemptTimeout: 20_000,
  retries: 2,
  headers: {},
  onCall: ignoreRecord,
  fetch: (url, init) => fetch(url, init),
  isRefusal: () => false,
  clock: systemClock,
  random: Math.random,
}

/**
 * Validates the options, and returns them with the defaults. Throws `ConfigError` for an unknown name
 * or a wrong type. Leaves out the options named in `others`, which a function such as `createClient`
 * reads itself.
 */
export function validateSettings(options: ClientOptions, others: readonly string[]): Settings {
  const settings: Record<string, unknown> = { ...DEFAULTS }
  // Reads every known option, also one that `Object.keys` does not list: a getter of a class.
  for (const name of Object.keys({ ...DEFAULTS, ...options })) {
    if (others.includes(name)) continue
    const value = options?.[name as keyof Settings]
    if (value !== undefined) settings[name] = validateOption(name, value)
  }
  settings.baseUrl = readBaseUrl(settings.baseUrl as string)
  settings.headers = copyClientHeaders(settings.headers as ClientOptions['headers'])
  // Each value has the type of its default, which the loop checked.
  return settings as unknown as Settings
}

/** Returns the value of an option, or throws if its name is unknown or its type is wrong. */
export function validateOption(name: string, value: unknown): unknown {
  const names = Object.keys(DEFAULTS)
  if (!names.includes(name)) {
    throw new ConfigError(`"${name}" is not an option: expected ${names.join(', ')}`)
  }

  const type = typeof DEFAULTS[name as keyof Settings]
  if (type === 'number') {
    if (typeof value === 'number' && value >= 0) return value
    throw new ConfigError(`"${name}" must be a number from 0, got ${show(value)}`)
  }

  // The value is not shown, since `baseUrl` and `auth` may contain credentials.
  const isOfType = typeof value === type && value !== null
  if (!isOfType)
    throw new ConfigError(`"${name}" must be of type ${type}${suggestFix(name, value)}`)
  return value
}

/**
 * What to do about an option of the wrong type, to complete the error message; empty if nobody
 * knows.
 */
function suggestFix(name: string, value: unknown): string {
  if (name === 'baseUrl' && value instanceof URL) return ': pass its `href`'

  const isToken = typeof value === 'string' || typeof value === 'function'
  if (name === 'auth' && isToken) {
    return ': pass { token: () => … }, or { clientKey, clientSecret }'
  }

  return ''
}

/**
 * Returns the base URL without slashes at its end. Throws `ConfigError` if it is invalid, without
 * showing it, since it may contain credentials.
 */
function readBaseUrl(baseUrl: string): string {
  const isPlain = /^https?:\/\/[^\s?#@]+$/i.test(baseUrl)
  if (isPlain && isUrl(baseUrl)) return withoutTrailingSlashes(baseUrl)

  throw new ConfigError(
    `"baseUrl" must be an absolute http(s) URL without credentials, query or fragment${explainInvalidUrl(baseUrl)}`,
  )
}

/** What is wrong with a base URL, to complete the error message; empty where that is not clear. */
function explainInvalidUrl(baseUrl: string): string {
  if (baseUrl === '') return ': it is empty. Is its environment variable set?'

  const isPath = baseUrl.startsWith('/') && !baseUrl.startsWith('//')
  if (isPath) return ': put the origin before the path, such as `location.origin`'

  const hasWhiteSpace = baseUrl !== baseUrl.trim()
  if (hasWhiteSpace) return ': there is white space around it'

  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(baseUrl)
  return hasScheme ? '' : ': put "https://" before it'
}

/** `URL.canParse` of older browsers and of React Native. */
function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== ''
  } catch {
    return false
  }
}

function withoutTrailingSlashes(url: string): string {
  return url.replace(/^(.*[^/])\/*$/, '$1')
}

import { systemClock } from './clock.ts'
import { ConfigError, show } from './errors.ts'
import type { Auth, ClientOptions } from './options.ts'

/** The validated options with defaults filled in. */
export type Settings = ReturnType<typeof settingsOf>

/** Validates the options before anything is sent. */
export function settingsOf(options = {} as ClientOptions) {
  const { timeout = 60_000, attemptTimeout = 20_000, retries = 2, ...others } = options
  const { middleware = [], fetch, clock = systemClock, random = Math.random, ...rest } = others
  const { baseUrl: url, auth, ...unknown } = rest
  const [name] = Object.entries(unknown).find(([, value]) => value !== undefined) ?? []
  if (name)
    throw new ConfigError(
      `"${name}" is not an option: expected ${OPTIONS}; headers go with a call or a middleware`,
    )
  for (const [name, value] of Object.entries({ timeout, attemptTimeout, retries })) {
    if (!(typeof value === 'number' && value >= 0)) {
      throw new ConfigError(`"${name}" must be a number from 0, got ${show(value)}`)
    }
  }
  const baseUrl = baseUrlOf(url)
  return {
    baseUrl,
    auth: auth ?? ({} as Auth),
    timeout,
    attemptTimeout,
    retries,
    middleware,
    fetch,
    clock,
    random,
  }
}

const OPTIONS = 'baseUrl, auth, timeout, attemptTimeout, retries, middleware, fetch, clock or random'

/** The error does not show the URL, since it may contain credentials. */
function baseUrlOf(baseUrl: string): string {
  if (!/^https?:\/\/[^\s?#@]+$/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new ConfigError('"baseUrl" must be an absolute http(s) URL without credentials, query or fragment')
  }
  return baseUrl.replace(/\/+$/, '')
}

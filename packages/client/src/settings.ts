import { systemClock } from './clock.ts'
import { ConfigError, show } from './errors.ts'
import type { Auth, ClientOptions } from './options.ts'

/** The options, checked and complete. */
export interface Settings extends Required<Omit<ClientOptions, 'fetch'>> {
  readonly fetch: ClientOptions['fetch']
}

/** Refuses what cannot work before anything is sent. */
export function settingsOf(options: ClientOptions): Settings {
  const { timeout = 60_000, attemptTimeout = 20_000, retries = 2 } = options
  for (const [name, value] of Object.entries({ timeout, attemptTimeout, retries })) {
    if (!(typeof value === 'number' && value >= 0)) refuse(name, 'a number from 0', value)
  }
  const { auth = {} as Auth, middleware = [], fetch, clock = systemClock, random = Math.random } = options
  const baseUrl = baseUrlOf(options.baseUrl)
  return { baseUrl, auth, timeout, attemptTimeout, retries, middleware, fetch, clock, random }
}

function baseUrlOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const { protocol, search, hash, username } = url ?? {}
  if (!/^https?:$/.test(protocol ?? '') || search || hash || username) {
    refuse('baseUrl', 'an absolute http(s) URL without credentials, query and fragment', baseUrl)
  }
  return baseUrl.replace(/\/+$/, '')
}

function refuse(name: string, expected: string, got: unknown): never {
  throw new ConfigError(`"${name}" must be ${expected}, got ${show(got)}`)
}

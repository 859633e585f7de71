import { type Clock, systemClock } from './clock.ts'
import { ConfigError } from './errors.ts'
import type { ClientOptions } from './options.ts'

/** The options, checked and complete. */
export interface Settings extends Required<Omit<ClientOptions, 'fetch'>> {
  readonly fetch: ClientOptions['fetch']
  readonly clock: Clock
}

/** Refuses what cannot work before anything is sent. */
export function settingsOf(options: ClientOptions): Settings {
  const settings = {
    timeout: 60_000,
    attemptTimeout: 20_000,
    retries: 2,
    middleware: [],
    clock: systemClock,
    random: Math.random,
    fetch: undefined,
    ...options,
    baseUrl: baseUrlOf(options.baseUrl),
  }
  for (const name of ['timeout', 'attemptTimeout', 'retries'] as const) {
    if (!(settings[name] >= 0)) refuse(name, 'a number from 0', settings[name])
  }
  return settings
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
  throw new ConfigError(`"${name}" must be ${expected}, got ${JSON.stringify(got) ?? got}`)
}

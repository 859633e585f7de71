import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type ClientOptions,
  ConfigError,
  createClient,
  createPayments,
  createSafeFetch,
} from '../src/index.ts'
import { SECRET } from './service.ts'

const good: ClientOptions = { baseUrl: 'https://pay.example', auth: SECRET }

describe('options', () => {
  afterEach(() => vi.unstubAllGlobals())

  it.each([
    ['baseUrl', ''],
    ['baseUrl', '/mobile-bff'],
    ['baseUrl', 'ftp://pay.example'],
    ['baseUrl', 'https://key:secret@pay.example'],
    ['baseUrl', 'https://pay.example?x=1'],
    ['baseUrl', 'https://pay.example#x'],
    ['baseUrl', 'https://pay.example?'],
    ['baseUrl', 'https://pay.example#'],
    ['baseUrl', 'https://:pw@pay.example'],
    ['baseUrl', 'https://pay.example '],
    ['baseUrl', undefined],
    ['timeout', -1],
    ['timeout', Number.NaN],
    ['timeout', '30s'],
    ['attemptTimeout', null],
    ['retries', Number.NaN],
    ['retries', -1],
    ['auth', {}],
    ['auth', undefined],
    ['auth', { clientKey: 'a:b', clientSecret: 's' }],
    ['auth', { clientKey: 'key' }],
    ['auth', null],
    ['auth', { token: 'abc' }],
    ['auth', () => 'abc'],
    ['baseUrl', new URL('https://pay.example')],
    ['fetch', null],
    ['fetch', {}],
    ['random', null],
    ['random', 0.5],
    ['clock', null],
  ])('refuses %s %j and names it', (name, value) => {
    const make = () => createPayments({ ...good, [name]: value })
    expect(make).toThrow(ConfigError)
    expect(make).toThrow(`"${name}`)
    expect(make).not.toThrow(/secret|:pw/)
  })

  it.each([
    ['middleware', []],
    ['redirect', 'follow'],
    ['Request', Request],
    ['retry', 5],
  ])('refuses the unknown option %s', (name, value) => {
    for (const create of [createClient, createPayments, createSafeFetch]) {
      expect(() => create({ ...good, [name]: value })).toThrow(ConfigError)
      expect(() => create({ ...good, [name]: value })).toThrow(
        `"${name}" is not an option: expected baseUrl, auth`,
      )
    }
  })

  it('does not compile with an unknown option', () => {
    // @ts-expect-error
    expect(() => createClient({ ...good, credentials: 'include' })).toThrow(ConfigError)
    // @ts-expect-error
    expect(() => createPayments({ ...good, headers: { 'x-tenant': 'a' } })).toThrow(ConfigError)
  })

  it('reads getters of a class', () => {
    class Config implements ClientOptions {
      readonly baseUrl = good.baseUrl
      readonly auth = SECRET
      get retries() {
        return -1
      }
    }
    expect(() => createPayments(new Config())).toThrow('"retries"')
  })

  it('refuses missing options, and accepts undefined for an unknown option or one with a default', () => {
    expect(() => createPayments(undefined as never)).toThrow(ConfigError)
    createClient({ ...good, retry: undefined } as ClientOptions)
    createPayments({ ...good, timeout: undefined, fetch: undefined })
  })

  it('in a browser, refuses a secret and accepts a token supplier', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' })
    expect(() => createPayments(good)).toThrow('auth.token')
    createPayments({ ...good, auth: { token: () => 't' } })
  })
})

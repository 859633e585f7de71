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

  const wrongValues = {
    baseUrl: [
      undefined,
      '',
      '/mobile-bff',
      'ftp://pay.example',
      new URL('https://a'),
      'https://key:secret@a',
      'https://:pw@a',
      'https://a ',
      'https://a?x=1',
      'https://a#x',
      'https://a?',
      'https://a#',
    ],
    timeout: [-1, Number.NaN, '30s'],
    attemptTimeout: [null],
    retries: [Number.NaN, -1],
    auth: [
      undefined,
      null,
      {},
      { clientKey: 'a:b', clientSecret: 's' },
      { clientKey: 'key' },
      { token: 'a' },
    ],
    fetch: [null, {}],
    random: [null, 0.5],
    clock: [null],
  }
  const rows: [string, unknown][] = []
  for (const [name, values] of Object.entries(wrongValues)) {
    for (const value of values) rows.push([name, value])
  }
  rows.push(['auth', () => 'abc'])
  it.each(rows)('refuses %s %j and names it', (name, value) => {
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
    expect(() => createPayments({ ...good, redirect: 'follow' })).toThrow(ConfigError)
  })

  it.each([
    ['auth', 'abc', 'pass { token: () => … }, or { clientKey, clientSecret }'],
    ['auth', () => 'abc', 'pass { token: () => … }, or { clientKey, clientSecret }'],
    ['auth', { token: 'abc' }, '"token" must be a function, such as () => token'],
    [
      'auth',
      { clientKey: 'key', clientSecret: undefined },
      'clientSecret is empty. Is its environment',
    ],
    ['auth', { clientKey: '', clientSecret: 's3cr3t' }, 'clientKey is empty. Is its environment'],
    ['baseUrl', '/api', 'put the origin before the path'],
    ['baseUrl', 'pay.example', 'put "https://" before it'],
    ['baseUrl', '127.0.0.1:4020', 'put "https://" before it'],
    ['baseUrl', undefined, 'Is its environment variable set?'],
    ['baseUrl', '', 'Is its environment variable set?'],
    ['baseUrl', 'https://pay.example\n', 'white space around it'],
    ['baseUrl', new URL('https://pay.example'), 'pass its `href`'],
    ['headers', Promise.resolve(new Headers()), '"headers" is a Promise: await it first'],
    ['headers', { 'x tenant': 'a' }, '"headers" must be names with valid values'],
    [
      'headers',
      { Authorization: 'Bearer t' },
      'must not have "authorization", which the client sets',
    ],
    ['headers', { 'Content-Type': 'text/plain' }, 'must not have "content-type"'],
    ['headers', { 'Transfer-Encoding': 'chunked' }, 'must not have "transfer-encoding"'],
  ])('says what to do about %s %j', (name, value, message) => {
    const create = () => createPayments({ ...good, [name]: value })
    expect(create).toThrow(ConfigError)
    expect(create).toThrow(message)
    expect(create).not.toThrow('s3cr3t')
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

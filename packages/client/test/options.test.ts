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
    { name: 'middleware', value: [] },
    { name: 'redirect', value: 'follow' },
    { name: 'Request', value: Request },
    { name: 'retry', value: 5 },
  ])('refuses the unknown option $name', ({ name, value }) => {
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
    {
      name: 'auth',
      value: 'abc',
      message: 'pass { token: () => … }, or { clientKey, clientSecret }',
    },
    {
      name: 'auth',
      value: () => 'abc',
      message: 'pass { token: () => … }, or { clientKey, clientSecret }',
    },
    {
      name: 'auth',
      value: { token: 'abc' },
      message: '"token" must be a function, such as () => token',
    },
    {
      name: 'auth',
      value: { clientKey: 'key', clientSecret: undefined },
      message: 'clientSecret is empty. Is its environment',
    },
    {
      name: 'auth',
      value: { clientKey: '', clientSecret: 's3cr3t' },
      message: 'clientKey is empty. Is its environment',
    },
    { name: 'baseUrl', value: '/api', message: 'put the origin before the path' },
    { name: 'baseUrl', value: 'pay.example', message: 'put "https://" before it' },
    { name: 'baseUrl', value: '127.0.0.1:4020', message: 'put "https://" before it' },
    { name: 'baseUrl', value: undefined, message: 'Is its environment variable set?' },
    { name: 'baseUrl', value: '', message: 'Is its environment variable set?' },
    { name: 'baseUrl', value: 'https://pay.example\n', message: 'white space around it' },
    { name: 'baseUrl', value: new URL('https://pay.example'), message: 'pass its `href`' },
    {
      name: 'headers',
      value: Promise.resolve(new Headers()),
      message: '"headers" is a Promise: await it first',
    },
    {
      name: 'headers',
      value: { 'x tenant': 'a' },
      message: '"headers" must be names with valid values',
    },
    {
      name: 'headers',
      value: { Authorization: 'Bearer t' },
      message: 'must not have "authorization", which the client sets',
    },
    {
      name: 'headers',
      value: { 'Content-Type': 'text/plain' },
      message: 'must not have "content-type"',
    },
    {
      name: 'headers',
      value: { 'Transfer-Encoding': 'chunked' },
      message: 'must not have "transfer-encoding"',
    },
  ])('says what to do about $name: $value', ({ name, value, message }) => {
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

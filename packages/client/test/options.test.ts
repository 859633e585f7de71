import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ClientOptions, ConfigError, createPayments } from '../src/index.ts'
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
  ])('refuses %s %j and names it', (name, value) => {
    const make = () => createPayments({ ...good, [name]: value })
    expect(make).toThrow(ConfigError)
    expect(make).toThrow(`"${name}`)
  })

  it('refuses to be made of nothing', () => {
    expect(() => createPayments(undefined as never)).toThrow(ConfigError)
  })

  it('takes undefined for what has a default', () => {
    createPayments({ ...good, timeout: undefined as never, fetch: undefined as never })
  })

  it('refuses a secret in a browser, and takes a supplier there', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' })
    expect(() => createPayments(good)).toThrow('auth.token')
    createPayments({ ...good, auth: { token: () => 't' } })
  })
})

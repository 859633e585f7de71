import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPayments, type PaymentsError, toCentavos } from '../src/index.ts'
import { json, KEY, SECRET, service, TOKEN, TRANSFER } from './service.ts'

describe('a mistake with a secret', () => {
  const { payments, api, safeFetch } = service(() => json(KEY), { auth: TOKEN })
  const headers = { 'x-api-key': 'a\nsecret' }
  const out = '/mobile-bff/v1/pix/out/'
  const url = `https://pay.example${out}`

  it.each<[string, () => unknown]>([
    ['a header of the client', () => createPayments({ baseUrl: url, auth: TOKEN, headers })],
    ['a header of a call', () => payments.users.list({ headers })],
    ['a header of a call by path', () => api.POST(out, { body: TRANSFER, headers })],
    ['a header of a fetch', () => safeFetch(url, { headers })],
    ['a URL with credentials', () => safeFetch('https://partner:secret@pay.example/')],
    ['a relative URL', () => safeFetch('/users/secret')],
    ['an id that is not well formed', () => payments.users.get('secret\ud800')],
    ['a name as an amount', () => toCentavos('secret')],
  ])('prints nothing of %s', async (_, call) => {
    const error = await Promise.resolve()
      .then(call)
      .catch((thrown) => thrown)
    expect(error).toMatchObject({ kind: 'config' })
    expect(inspect(error, { depth: 9 })).not.toContain('secret')
  })

  it('names the header with the invalid value', async () => {
    const error = await payments.users.list({ headers }).catch((thrown) => thrown)
    expect(error.message).toBe(
      'listUsers: "headers" must be names with valid values: that of "x-api-key" has a character that HTTP forbids',
    )
  })
})

describe('a mistake in a call', () => {
  const { payments, sent } = service(() => json(KEY), { auth: TOKEN })
  const { transfers, keys, codes, qrcodes, users } = payments

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'a number as the amount',
      () => transfers.create({ ...TRANSFER, amount: 10.5 as never }),
      '"/amount" must be a decimal string above zero such as "10.50", got 10.5, a number: write it as a string',
    ],
    [
      'a promise as the body',
      () => transfers.create(Promise.resolve(TRANSFER) as never),
      'the body must be an object, got Promise: await it first',
    ],
    [
      'a body instead of a key',
      () => keys.check({ dict_key: 'a@example.com' } as never),
      '"dict_key" must be a string that is not empty, got Object',
    ],
    [
      'no code',
      () => codes.check(undefined as never),
      '"emv" must be a string that is not empty, got Undefined',
    ],
    [
      'a limit instead of a query',
      () => qrcodes.listImmediate('20' as never),
      'the query must be an object, got String',
    ],
    [
      'a controller instead of its signal',
      () => users.list({ signal: new AbortController() as never }),
      '"signal" must be an AbortSignal, got AbortController',
    ],
  ])('%s is refused before anything is sent', async (_, call, message) => {
    const error: PaymentsError = await call().then(
      () => expect.unreachable(),
      (thrown) => thrown,
    )
    expect([error.kind, error.message.replace(/^\w+: /, '')]).toEqual(['config', message])
    expect(sent).toEqual([])
  })

  it('an amount alone is no payment', async () => {
    const service_ = service(() => json(KEY), { auth: TOKEN })
    const payee = await service_.payments.keys.check(KEY.dict_key)
    await expect(payee.pay('10.50' as never)).rejects.toThrow(
      'a payment must be an object such as { amount: "10.50" }, got String',
    )
    expect(service_.sent).toHaveLength(1)
  })

  it.each([{}, { customer_id: 'c' }, { customer_id: 'c', user_id: 1 }, 'c'])(
    'acting for %j is refused, since it names nobody',
    (customer) => {
      expect(() => payments.as(customer as never)).toThrow('"as" needs { customer_id, user_id }')
    },
  )
})

describe('a header', () => {
  afterEach(() => vi.unstubAllGlobals())

  const create = (headers: unknown) => () =>
    createPayments({ baseUrl: 'https://pay.example', auth: SECRET, headers: headers as never })

  it.each([
    [{ 'x-tenant': undefined }, 'the header "x-tenant" must be a string, got undefined'],
    [{ 'x-tenant': { a: 1 } }, 'the header "x-tenant" must be a string, got Object'],
  ])('whose value is no string is refused: %j', async (headers, message) => {
    expect(create(headers)).toThrow(message)
    const { payments, sent } = service(() => json({}))
    const call = payments.transfers.create(TRANSFER, { headers: headers as never })
    await expect(call).rejects.toThrow(message)
    expect(sent).toEqual([])
  })

  it.each(['proxy-authorization', 'proxy-authenticate', 'http2-settings'])(
    '%s belongs to the connection too',
    async (name) => {
      expect(create({ [name]: 'x' })).toThrow(name)
      const { payments, sent } = service(() => json({}))
      const call = payments.transfers.create(TRANSFER, { headers: { [name]: 'x' } })
      await expect(call).rejects.toMatchObject({ kind: 'config' })
      expect(sent).toEqual([])
    },
  )

  it('is no user agent where the runtime forbids to ask for its version', () => {
    const forbidding = {
      get versions() {
        throw new Error('not in the edge runtime')
      },
    }
    vi.stubGlobal('process', forbidding)
    expect(create({})).not.toThrow()
  })
})

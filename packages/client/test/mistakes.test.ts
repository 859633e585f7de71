import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPayments, PaymentsError, toCentavos } from '../src/index.ts'
import { json, KEY, SECRET, service, TOKEN, TRANSFER } from './service.ts'

describe('a mistake with a secret', () => {
  const { payments, api, safeFetch } = service(() => json(KEY), { auth: TOKEN })
  const headers = { 'x-api-key': 'a\nsecret' }
  const out = '/mobile-bff/v1/pix/out/'
  const url = `https://pay.example${out}`

  it.each<{ title: string; call: () => unknown }>([
    {
      title: 'prints nothing of a header of the client',
      call: () => createPayments({ baseUrl: url, auth: TOKEN, headers }),
    },
    { title: 'prints nothing of a header of a call', call: () => payments.users.list({ headers }) },
    {
      title: 'prints nothing of a header of a call by path',
      call: () => api.POST(out, { body: TRANSFER, headers }),
    },
    { title: 'prints nothing of a header of a fetch', call: () => safeFetch(url, { headers }) },
    {
      title: 'prints nothing of a URL with credentials',
      call: () => safeFetch('https://partner:secret@pay.example/'),
    },
    { title: 'prints nothing of a relative URL', call: () => safeFetch('/users/secret') },
    {
      title: 'prints nothing of an id that is not well formed',
      call: () => payments.users.get('secret\ud800'),
    },
    { title: 'prints nothing of a name as an amount', call: () => toCentavos('secret') },
  ])('$title', async ({ call }) => {
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

  it.each<{ title: string; call: () => Promise<unknown>; message: string }>([
    {
      title: 'a number as the amount is refused before anything is sent',
      call: () => transfers.create({ ...TRANSFER, amount: 10.5 as never }),
      message:
        '"/amount" must be a decimal string above zero such as "10.50", got 10.5, a number: write it as a string',
    },
    {
      title: 'a promise as the body is refused before anything is sent',
      call: () => transfers.create(Promise.resolve(TRANSFER) as never),
      message: 'the body must be an object, got Promise: await it first',
    },
    {
      title: 'a body instead of a key is refused before anything is sent',
      call: () => keys.check({ dict_key: 'a@example.com' } as never),
      message: '"dict_key" must be a string that is not empty, got Object',
    },
    {
      title: 'no code is refused before anything is sent',
      call: () => codes.check(undefined as never),
      message: '"emv" must be a string that is not empty, got Undefined',
    },
    {
      title: 'a limit instead of a query is refused before anything is sent',
      call: () => qrcodes.listImmediate('20' as never),
      message: 'the query must be an object, got String',
    },
    {
      title: 'a controller instead of its signal is refused before anything is sent',
      call: () => users.list({ signal: new AbortController() as never }),
      message: '"signal" must be an AbortSignal, got AbortController',
    },
  ])('$title', async ({ call, message }) => {
    const error = (await call().catch((thrown) => thrown)) as PaymentsError
    expect(error).toBeInstanceOf(PaymentsError)
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
    {
      headers: { 'x-tenant': undefined },
      message: 'the header "x-tenant" must be a string, got undefined',
    },
    {
      headers: { 'x-tenant': { a: 1 } },
      message: 'the header "x-tenant" must be a string, got Object',
    },
  ])('whose value is no string is refused: $headers', async ({ headers, message }) => {
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

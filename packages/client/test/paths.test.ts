import { describe, expect, it } from 'vitest'
import { contract, resolved } from './contract.ts'
import { json, KEY, RECORD, service, TOKEN, USERS } from './service.ts'

describe('a value in a path', () => {
  const { payments, api, sent } = service(() => json({}))
  const path = '/mobile-bff/v1/partner/webhook/{webhook_id}'

  it.each(['', '.', '..', undefined, null, 42, '\ud800'])(
    '%j is refused, since it would address another path',
    async (id) => {
      const webhook_id = id as string
      expect(await payments.webhooks.delete(webhook_id).result()).toMatchObject({
        kind: 'config',
        error: { message: expect.stringContaining('"webhook_id"') },
      })
      await expect(api.DELETE(path, { params: { path: { webhook_id } } })).rejects.toMatchObject({
        kind: 'config',
      })
      await expect(api.DELETE(path, {} as never)).rejects.toMatchObject({ kind: 'config' })
      expect(sent).toHaveLength(0)
    },
  )

  it.each(['a/../b?x', '../user', '%2e%2e', '...', 'a#b', 'ação', 'a b'])(
    '%j is encoded',
    async (webhook_id) => {
      const { payments, api, sent } = service(() => json(RECORD))
      await payments.webhooks.get(webhook_id)
      await api.GET(path, { params: { path: { webhook_id } } })
      const expected = `/mobile-bff/v1/partner/webhook/${encodeURIComponent(webhook_id)}`
      expect(sent.map((request) => request.path)).toEqual([expected, expected])
    },
  )

  it('keeps the slashes of the contract, byte for byte', async () => {
    const { payments, sent } = service(({ method }) => json(RECORD, method === 'POST' ? 201 : 200))
    await payments.webhooks.list()
    await payments.webhooks.create({ url: 'https://shop.example/hooks', type: 'all' })
    await payments.webhooks.rotateSecret('w')
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /mobile-bff/v1/partner/webhook/',
      'POST /mobile-bff/v1/partner/webhook',
      'PATCH /mobile-bff/v1/partner/webhook/w/secret',
    ])
  })
})

describe('the query and the headers of a call by path', () => {
  const list = '/mobile-bff/v1/pix/qrcode/dynamic/due-date'
  it.each([
    {
      title: 'refuses a nested object in the query and keeps the cause',
      init: { params: { query: { cursor: { a: { b: [1] } } as never } } },
    },
    {
      title: 'refuses a serializer that throws and keeps the cause',
      init: { querySerializer: () => JSON.parse('{') },
    },
  ])('$title', async ({ init }) => {
    const { api, sent } = service(() => json({ data: [] }))
    const cause = expect.any(Error)
    await expect(api.GET(list, init)).rejects.toMatchObject({ kind: 'config', cause })
    expect(sent).toEqual([])
  })

  it('refuses an invalid header and names it', async () => {
    const { api, sent } = service(() => json({ data: [] }))
    const headers = { 'x-tenant': '\n\u0000' }
    await expect(api.GET(list, { headers })).rejects.toThrow('"x-tenant" has a character')
    expect(sent).toEqual([])
  })

  it('every parameter of the contract is a string, since the client encodes no array and no object', () => {
    const types = Object.values(contract.components.parameters ?? {}).map(
      ({ schema }) => resolved(schema).type,
    )
    expect(new Set(types)).toEqual(new Set(['string']))
  })
})

describe('a request', () => {
  it('follows no redirect and sends only its own headers', async () => {
    const { payments, sent } = service(() => json(KEY), { auth: TOKEN })
    await payments.keys.check(KEY.dict_key, {
      headers: { 'X-Trace': '1', Authorization: 'Basic x' },
    })
    expect(sent[0]?.init.redirect).toBe('manual')
    expect(sent[0]?.headers).toEqual({
      'x-trace': '1',
      'user-agent': expect.stringMatching(/^partner-payments-client\/[\d.]+ node\/\d+$/),
      authorization: 'Bearer t',
      'content-type': 'application/json',
    })
  })

  it('has no content-type without a body', async () => {
    const { payments, sent } = service(() => json(USERS))
    await payments.users.list()
    expect(Object.keys(sent[0]?.headers ?? {})).toEqual(['user-agent', 'authorization'])
  })

  it('is refused before sending if its body is not serializable', async () => {
    const { payments, sent } = service(() => json({}))
    const body = { url: 'https://shop.example', type: 1n } as never
    expect(await payments.webhooks.create(body).result()).toMatchObject({ kind: 'config' })
    expect(sent).toHaveLength(0)
  })
})

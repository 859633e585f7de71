import { describe, expect, it } from 'vitest'
import { type ClientOptions, createSafeFetch, HttpError } from '../src/index.ts'
import { testClock } from './clock.ts'
import {
  broken,
  CUSTOMER,
  json,
  problem,
  RECORD,
  SETTLED,
  service,
  TOKEN,
  TRANSFER,
  tokenSet,
  USERS as USERS_PAGE,
} from './service.ts'

const OUT = 'https://pay.example/mobile-bff/v1/pix/out/'
const USERS = 'https://pay.example/mobile-bff/v1/partner/user'
const BODY = JSON.stringify(TRANSFER)

const safely = (respond: Parameters<typeof service>[0], options: Partial<ClientOptions> = {}) =>
  service(respond, { auth: TOKEN, ...options })

describe('a request', () => {
  const forms: { title: string; args: Parameters<typeof fetch> }[] = [
    { title: 'may be a Request', args: [new Request(OUT, { method: 'POST', body: BODY })] },
    { title: 'may be a URL and options', args: [new URL(OUT), { method: 'post', body: BODY }] },
    {
      title: 'may be a string and options',
      args: [OUT, { method: 'POST', body: new TextEncoder().encode(BODY) }],
    },
    {
      title: 'may be a Request and options',
      args: [new Request(OUT), { method: 'POST', body: BODY }],
    },
    {
      title: 'may have a Blob as its body',
      args: [OUT, { method: 'POST', body: new Blob([BODY]) }],
    },
    {
      title: 'may have a stream as its body',
      args: [
        OUT,
        { method: 'POST', body: new Blob([BODY]).stream(), duplex: 'half' } as RequestInit,
      ],
    },
    { title: 'may have a fragment', args: [`${OUT}#x`, { method: 'POST', body: BODY }] },
    {
      title: 'may have other options',
      args: [
        OUT,
        { method: 'POST', body: BODY, redirect: 'error', keepalive: true, cache: 'reload' },
      ],
    },
  ]
  it.each(forms)('$title', async ({ args }) => {
    const { safeFetch, sent } = safely(() => json(SETTLED, 201))
    const response = await safeFetch(...args)
    expect([response.status, await response.json()]).toEqual([201, SETTLED])
    expect(sent).toMatchObject([
      {
        path: '/mobile-bff/v1/pix/out/',
        body: TRANSFER,
        headers: { 'content-type': 'application/json' },
      },
    ])
  })

  it('is found below the path of baseUrl, whose case and default port do not count', async () => {
    const { safeFetch, sent } = safely(() => json(RECORD), {
      baseUrl: 'HTTPS://Pay.Example:443/gateway/',
    })
    await safeFetch('https://pay.example/gateway/mobile-bff/v1/partner/webhook/w%2F1?a=1&b')
    expect(sent[0]?.path).toBe('/gateway/mobile-bff/v1/partner/webhook/w%2F1?a=1&b')
    await expect(safeFetch(USERS)).rejects.toThrow('the URL of the request is not below "baseUrl"')
  })

  it.each([
    ['https://elsewhere.example/mobile-bff/v1/partner/user'],
    ['https://pay.example.elsewhere.example/mobile-bff/v1/partner/user'],
    ['https://pay.example:444/mobile-bff/v1/partner/user'],
    ['http://pay.example/mobile-bff/v1/partner/user'],
    ['https://pay.example/mobile-bff/v1/partner/user/'],
    ['https://pay.example/mobile-bff/v1/partner/../partner/users'],
    ['https://pay.example//mobile-bff/v1/partner/user'],
    ['https://pay.example/mobile-bff/v1/partner/user/%7Buser_id%7D'],
    ['https://key:secret@pay.example/mobile-bff/v1/partner/user'],
    ['/mobile-bff/v1/partner/user'],
    ['not a URL'],
  ])('of %s is refused before a sign-in', async (url) => {
    const { safeFetch, sent, tokens } = safely(() => json({}), {
      auth: { clientKey: 'k', clientSecret: 's' },
    })
    await expect(safeFetch(url)).rejects.toMatchObject({ kind: 'config' })
    expect([sent, tokens]).toEqual([[], []])
  })

  it('is refused without its values in the message', async () => {
    const call = safely(() => json({})).safeFetch(
      `${USERS}/12345678909/a@example.com?tax_id=12345678909`,
    )
    await expect(call).rejects.toThrow(
      /^the contract has no GET \/mobile-bff\/v1\/partner\/user\/\*\*\*\/\*\*\* below "baseUrl"$/,
    )
  })

  it('is sent once, also if it is used again', async () => {
    const { safeFetch, sent } = safely(() => broken('ECONNRESET'))
    const request = new Request(OUT, { method: 'POST', body: BODY })
    await expect(safeFetch(request)).rejects.toMatchObject({ kind: 'outcome_unknown' })
    await expect(safeFetch(request)).rejects.toMatchObject({
      kind: 'config',
      operationId: 'createTransfer',
    })
    expect(sent).toHaveLength(1)
  })

  it('whose body never ends times out, and sends nothing', async () => {
    const clock = testClock()
    const { safeFetch, sent } = safely(() => json(SETTLED, 201), { clock })
    const init = { method: 'POST', body: new ReadableStream(), duplex: 'half' }
    const call = safeFetch(OUT, init as RequestInit)
    await expect(clock.endOf(call.catch((error) => error.kind))).resolves.toBe('timeout')
    expect(sent).toEqual([])
  })

  it('acts for a customer with its own token', async () => {
    const { payments, sent } = service(() => json({ users: [] }))
    await createSafeFetch(payments.as(CUSTOMER))(USERS)
    expect(sent[0]?.headers.authorization).toBe('Bearer token-2')
  })

  it('may be a sign-in, which uses the credentials', async () => {
    const { safeFetch, tokens } = service(() => json({}))
    const url = 'https://pay.example/mobile-bff/v1/auth/partner/token/'
    const response = await safeFetch(url, { method: 'POST' })
    expect(await response.json()).toEqual(tokenSet('token-1'))
    expect(tokens[0]?.headers.authorization).toMatch(/^Basic /)
  })
})

describe('a response', () => {
  it('is buffered, without headers that describe other bytes', async () => {
    const headers = { 'content-encoding': 'identity', 'content-length': '0', 'x-request-id': 'r' }
    const { safeFetch } = safely(() => json({ users: [] }, 200, headers))
    const response = await safeFetch(USERS)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json',
      'x-request-id': 'r',
    })
    expect(await response.clone().json()).toEqual({ users: [] })
    expect(await response.json()).toEqual({ users: [] })
  })

  it('without a body has none', async () => {
    const { safeFetch } = safely(() => new Response(null, { status: 204 }))
    const response = await safeFetch('https://pay.example/mobile-bff/v1/partner/webhook/w', {
      method: 'DELETE',
    })
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  it('of a refusal is returned, or thrown with throwHttpErrors', async () => {
    const { safeFetch, options } = safely(() => problem(404, 'not_found'))
    const response = await safeFetch(`${USERS}/u`)
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
    const strict = createSafeFetch({ ...options, throwHttpErrors: true })
    await expect(strict(`${USERS}/u`)).rejects.toBeInstanceOf(HttpError)
  })

  /** What `fetch` may return, but the constructor of `Response` refuses. */
  const odd = (status: number, headers: Iterable<[string, string]> = []) => {
    const response = json(SETTLED, 201)
    const own = Object.assign(new Map(headers), { has: () => false, get: () => null })
    return Object.defineProperties(response, {
      status: { value: status },
      ok: { value: status < 300 },
      headers: { value: own },
    })
  }

  it.each([304, 600, 999])(
    'with status %i and a JSON object is thrown as an HttpError',
    async (status) => {
      const { safeFetch } = safely(() => odd(status), { retries: 0 })
      await expect(safeFetch(USERS)).rejects.toMatchObject({ kind: 'http', status })
    },
  )

  it('that cannot be copied leaves the outcome of a payment unknown', async () => {
    const { safeFetch } = safely(() => odd(201, [['', 'no name']]))
    await expect(safeFetch(OUT, { method: 'POST', body: BODY })).rejects.toMatchObject({
      kind: 'outcome_unknown',
    })
  })
})

describe('a request that the contract does not have', () => {
  it.each([
    {
      method: 'GET',
      path: '/partner/webhook',
      hint: ': did you mean GET /mobile-bff/v1/partner/webhook/?',
    },
    { method: 'POST', path: '/pix/out', hint: ': did you mean POST /mobile-bff/v1/pix/out/?' },
    { method: 'GET', path: '/pix/out/', hint: ': this path has POST' },
    { method: 'PUT', path: '/partner/webhook/w', hint: ': this path has GET, PATCH, DELETE' },
    { method: 'GET', path: '/nothing', hint: ' below "baseUrl"' },
  ])('is refused with what was probably meant by $method $path', async ({ method, path, hint }) => {
    const { safeFetch, sent } = safely(() => json({}))
    const url = `https://pay.example/mobile-bff/v1${path}`
    const error: Error = await safeFetch(url, { method }).catch((thrown) => thrown)
    expect(error.message.slice(-hint.length)).toBe(hint)
    expect(sent).toEqual([])
  })
})

describe('the headers of a call', () => {
  it.each([
    'connection',
    'expect',
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ])('must not have %s, which belongs to the connection', async (name) => {
    const { payments, safeFetch, sent } = safely(() => json(SETTLED, 201))
    const headers = { [name.toUpperCase()]: 'close' }
    const byMethod = await payments.transfers.create(TRANSFER, { headers }).result()
    expect(byMethod).toMatchObject({ kind: 'config' })
    const byPath = safeFetch(OUT, { method: 'POST', body: BODY, headers })
    await expect(byPath).rejects.toThrow(`the header "${name}" belongs to the connection`)
    expect(sent).toEqual([])
  })

  it('may have the length that another client counted, which is not sent', async () => {
    const { safeFetch, sent } = safely(() => json(SETTLED, 201))
    const headers = { 'content-length': '7' }
    await safeFetch(OUT, { method: 'POST', body: BODY, headers })
    expect(sent[0]?.headers['content-length']).toBe(String(BODY.length))
  })

  it('must be awaited if they are a Promise, as those of Next.js', async () => {
    const { payments, sent } = safely(() => json(USERS_PAGE))
    const headers = Promise.resolve(new Headers()) as never
    await expect(payments.users.list({ headers })).rejects.toThrow(
      '"headers" is a Promise: await it',
    )
    expect(sent).toEqual([])
  })

  it('are added to those of all calls, also of the sign-in', async () => {
    const { payments, sent, tokens } = service(() => json(USERS_PAGE), {
      headers: { 'X-Tenant': 'shop', 'User-Agent': 'shop/1' },
    })
    await payments.users.list({ headers: { 'x-tenant': 'other' } })
    expect(tokens[0]?.headers).toMatchObject({ 'x-tenant': 'shop', 'user-agent': 'shop/1' })
    expect(sent[0]?.headers).toMatchObject({ 'x-tenant': 'other', 'user-agent': 'shop/1' })
  })
})

describe('an error response', () => {
  it('reaches another client in the bytes of the service', async () => {
    const text = '{ "status":422,\n  "code": "insufficient_funds", "code":"x", "n": 1.50 }\n'
    const respond = () =>
      new Response(text, { status: 422, headers: { 'content-type': 'application/json' } })
    const { safeFetch } = safely(respond)
    const response = await safeFetch(USERS)
    expect(await response.text()).toBe(text)
  })

  it('with a byte order mark, keeps it', async () => {
    const bytes = new TextEncoder().encode('\uFEFF{"code":"x"}')
    const { safeFetch } = safely(() => new Response(bytes, { status: 422 }))
    const response = await safeFetch(USERS)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  })
})

describe('a refusal that names its status twice', () => {
  it.each([
    {
      title: 'proves nothing if the last one is wrong',
      text: '{"status":422,"code":"insufficient_funds","status":500}',
    },
    {
      title: 'proves nothing if the first one is wrong',
      text: '{"status":500,"code":"insufficient_funds","status":422}',
    },
    {
      title: 'proves nothing if one has an escape in its name',
      text: '{"status":500,"code":"insufficient_funds","st\\u0061tus":422}',
    },
    {
      title: 'proves nothing if it names the code twice instead',
      text: '{"status":422,"code":"initiation_used","code":"insufficient_funds"}',
    },
  ])('$title', async ({ text }) => {
    const respond = () =>
      new Response(text, { status: 422, headers: { 'content-type': 'application/problem+json' } })
    const { payments } = safely(respond)
    const result = await payments.transfers.create(TRANSFER).result()
    expect(result).toMatchObject({ kind: 'outcome_unknown' })
  })

  it('is no fault of a field that decides nothing', async () => {
    const text =
      '{"status":422,"code":"insufficient_funds","errors":[{"code":"a"},{"code":"b"}],"detail":"","detail":"x"}'
    const respond = () =>
      new Response(text, { status: 422, headers: { 'content-type': 'application/problem+json' } })
    const { payments } = safely(respond)
    const result = await payments.transfers.create(TRANSFER).result()
    expect(result).toMatchObject({ kind: 'http', status: 422 })
  })
})

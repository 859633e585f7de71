import { describe, expect, it } from 'vitest'
import { PaymentsError } from '../src/index.ts'
import { json, PAID, problem, service, TRANSFER } from './service.ts'

const LOOKUP = '/mobile-bff/v1/pix/dict/check/'
const USER = '/mobile-bff/v1/partner/user/{user_id}'
const OUT = '/mobile-bff/v1/pix/out/'
const HTML = { 'content-type': 'text/html' }

const empty = (status: number, length?: string) =>
  new Response('', { status, headers: length ? { 'content-length': length } : {} })

/** Failures that other clients read as a success. */
const failures: [name: string, respond: () => Response, kind: string, status?: number][] = [
  ['an empty 500', () => empty(500), 'http', 500],
  ['an empty 500 with content-length 0', () => empty(500, '0'), 'http', 500],
  ['an empty 404', () => new Response(null, { status: 404 }), 'http', 404],
  ['a 404 with problem details', () => problem(404, 'not_found'), 'http', 404],
  ['an HTML 502', () => new Response('<html>', { status: 502, headers: HTML }), 'http', 502],
  ['a 400 whose body is a JSON string', () => json('no', 400), 'http', 400],
  ['a 400 whose body is null', () => json(null, 400), 'http', 400],
  ['a redirect', () => Response.redirect('https://elsewhere.example/', 302), 'http', 302],
  ['an empty 200', () => empty(200), 'decode'],
  ['an empty 200 with content-length 0', () => empty(200, '0'), 'decode'],
  ['a 204 instead of a body', () => new Response(null, { status: 204 }), 'decode'],
  ['a 200 that is HTML', () => new Response('<html>Sign in', { headers: HTML }), 'decode'],
  ['a 200 with truncated JSON', () => new Response('{"id":', { status: 200 }), 'decode'],
  ['a 200 that is null', () => json(null), 'decode'],
  ['a 200 that is an array', () => json([]), 'decode'],
  ['a 200 that is a number', () => json(1), 'decode'],
]

describe.each(failures)('%s never reads as success', (_, respond, kind, status) => {
  const { payments, api } = service(respond, { retries: 0 })

  it('with an operation, awaited and as a result', async () => {
    const call = payments.keys.check('a@example.com')
    await expect(call).rejects.toBeInstanceOf(PaymentsError)
    await expect(call).rejects.toMatchObject({
      kind,
      operationId: 'checkKey',
      ...(status && { status }),
    })
    expect(await payments.keys.check('a@example.com').result()).toMatchObject({
      ok: false,
      kind,
      status,
    })
  })

  it('by path: an error or a rejection', async () => {
    const outcome = await api
      .POST(LOOKUP, { body: { dict_key: 'a@example.com' } })
      .catch((error) => ({ error }))
    expect(outcome.error).toBeTruthy()
    expect('data' in outcome).toBe(false)
  })
})

describe('a problem', () => {
  it('is on the error with the status, the request id and retry-after', async () => {
    const { payments } = service(() => problem(429, 'rate_limited', { 'retry-after': '40' }))
    const error = await payments.users.list().catch((it) => it)
    expect(error).toMatchObject({
      name: 'HttpError',
      message: 'listUsers was refused (429 rate_limited) (request req_1)',
      status: 429,
      problem: { code: 'rate_limited' },
      requestId: 'req_1',
      retryAfter: 40_000,
    })
  })

  it('is the unchanged `error` of the client by path', async () => {
    const { api } = service(() => problem(404, 'not_found'))
    const { data, error, response } = await api.GET(USER, { params: { path: { user_id: 'u' } } })
    expect(data).toBeUndefined()
    expect(error?.code).toBe('not_found')
    expect(response.status).toBe(404)
  })

  it('takes the request id from the body if the header is absent', async () => {
    const { payments } = service(() => json({ status: 400, request_id: 'req_9' }, 400))
    expect(await payments.users.list().catch((it) => it.requestId)).toBe('req_9')
  })
})

describe('the client by path', () => {
  it('sends the same requests as the operations', async () => {
    const { api, payments, sent } = service(() => json(PAID, 201))
    await api.POST(OUT, { body: TRANSFER })
    await payments.transfers.create(TRANSFER)
    const [first, second] = sent.map(({ signal: _, init: __, ...rest }) => rest)
    expect(first).toEqual(second)
  })

  it('returns neither data nor error for a deletion', async () => {
    const { api, payments } = service(() => new Response(null, { status: 204 }))
    const path = '/mobile-bff/v1/partner/webhook/{webhook_id}'
    const { error, response } = await api.DELETE(path, { params: { path: { webhook_id: 'w' } } })
    expect([error, response.status]).toEqual([undefined, 204])
    expect(await payments.webhooks.delete('w').result()).toMatchObject({
      ok: true,
      status: 204,
      data: undefined,
    })
  })
})

import { describe, expect, it } from 'vitest'
import { PaymentsError } from '../src/index.ts'
import { json, problem, SETTLED, service, TRANSFER } from './service.ts'

const LOOKUP = '/mobile-bff/v1/pix/dict/check/'
const USER = '/mobile-bff/v1/partner/user/{user_id}'
const OUT = '/mobile-bff/v1/pix/out/'
const HTML = { 'content-type': 'text/html' }

function empty(status: number, length?: string): Response {
  const headers = new Headers()
  if (length !== undefined) headers.set('content-length', length)
  return new Response('', { status, headers })
}

interface FailureCase {
  readonly name: string
  readonly respond: () => Response
  /** That of an error response. */
  readonly status?: number
}

/** Failures that other clients read as a success. */
const failures: FailureCase[] = [
  {
    name: 'an empty 500',
    respond: () => empty(500),
    status: 500,
  },
  {
    name: 'an empty 500 with content-length 0',
    respond: () => empty(500, '0'),
    status: 500,
  },
  {
    name: 'an empty 404',
    respond: () => new Response(null, { status: 404 }),
    status: 404,
  },
  {
    name: 'a 404 with problem details',
    respond: () => problem(404, 'not_found'),
    status: 404,
  },
  {
    name: 'an HTML 502',
    respond: () => new Response('<html>', { status: 502, headers: HTML }),
    status: 502,
  },
  {
    name: 'a 400 whose body is a JSON string',
    respond: () => json('no', 400),
    status: 400,
  },
  {
    name: 'a 400 whose body is null',
    respond: () => json(null, 400),
    status: 400,
  },
  {
    name: 'a redirect',
    respond: () => Response.redirect('https://elsewhere.example/', 302),
    status: 302,
  },
  { name: 'an empty 200', respond: () => empty(200) },
  { name: 'an empty 200 with content-length 0', respond: () => empty(200, '0') },
  { name: 'a 204 instead of a body', respond: () => new Response(null, { status: 204 }) },
  { name: 'a 200 that is HTML', respond: () => new Response('<html>Sign in', { headers: HTML }) },
  { name: 'a 200 with truncated JSON', respond: () => new Response('{"id":', { status: 200 }) },
  { name: 'a 200 that is null', respond: () => json(null) },
  { name: 'a 200 that is an array', respond: () => json([]) },
  { name: 'a 200 that is a number', respond: () => json(1) },
]

describe.each(failures)('$name never reads as success', ({ respond, status }) => {
  const { payments, api } = service(respond, { retries: 0 })
  const kind = status === undefined ? 'decode' : 'http'

  it('with an operation, awaited and as a result', async () => {
    const call = payments.keys.check('a@example.com')
    await expect(call).rejects.toBeInstanceOf(PaymentsError)
    await expect(call).rejects.toMatchObject({ kind, operationId: 'checkKey' })
    expect(await call.catch((error) => error.status)).toBe(status)
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
    const error = await payments.users.list().catch((thrown) => thrown)
    expect(error).toMatchObject({
      name: 'HttpError',
      message:
        'listUsers was refused (429 rate_limited) (request req_1) ' +
        '[GET https://pay.example/mobile-bff/v1/partner/user]',
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
    expect(await payments.users.list().catch((error) => error.requestId)).toBe('req_9')
  })
})

describe('the client by path', () => {
  it('sends the same requests as the operations', async () => {
    const { api, payments, sent } = service(() => json(SETTLED, 201))
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

import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { type HttpHandler, HttpResponse } from 'msw'
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type { CheckKeyRequest } from '../src/generated/contract.ts'
import * as fixtures from '../src/generated/fixtures.ts'
import { createPayments } from '../src/index.ts'
import { mockPayments } from '../src/msw.ts'
import { allOperations, type Operation } from '../src/operation.ts'

const baseUrl = 'https://api.example.com'
const known = allOperations()

/** The part of an msw server that the suite uses. */
interface Server {
  use(...handlers: HttpHandler[]): void
  resetHandlers(): void
  close(): void
}

/**
 * The behaviour of `/msw` with one major version of msw. `start` must call `refuse` for an
 * unhandled request.
 */
export function describeMocking(
  start: (handlers: readonly HttpHandler[], refuse: (request: Request) => never) => Server,
): void {
  const { handlers, handle } = mockPayments({ baseUrl })
  const payments = createPayments({ baseUrl, auth: { token: () => 'any' }, retries: 0 })
  const unhandled: string[] = []
  let server: Server
  beforeAll(() => {
    server = start(handlers, ({ method, url }) => {
      unhandled.push(`${method} ${url}`)
      throw new Error('no handler')
    })
  })
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  function send(method: string, path: string, body?: object) {
    return fetch(baseUrl + path, { method, body: body ? JSON.stringify(body) : null })
  }

  function call({ method, path, takes }: Operation) {
    return send(method, path.replace(/\{\w+\}/, 'an-id'), takes === 'body' ? {} : undefined)
  }

  describe('default handlers', () => {
    test.each(known)('$operationId returns its first success', async (operation) => {
      const { operationId, status } = operation
      const response = await call(operation)
      expect(response.status).toBe(status)
      const [first] = Object.values(responsesOf(operationId)[status] ?? {})
      const hasBody = first !== undefined
      expect(await response.text()).toBe(hasBody ? JSON.stringify(first) : '')
      expect(response.headers.get('content-type')).toBe(hasBody ? 'application/json' : null)
      expect(response.headers.get('x-request-id')).toBe(
        contract.components.headers.RequestId.example,
      )
    })

    test('a transfer response repeats the amount of the request', async () => {
      const payee = await payments.keys.check('beltrana@example.com')
      const transfer = await payee.pay({ amount: '1.23' })
      expect(transfer.data.amount).toBe('1.23')
      server.use(handle.createTransfer(201, fixtures.createTransfer.response[201].rejected))
      const other = await payments.keys.check('beltrana@example.com')
      const rejected = await other.pay({ amount: '4.56' })
      expect([rejected.status, rejected.data.amount]).toEqual(['rejected', '4.56'])
    })

    test('a resolver can return another amount, which the client reports as an unknown outcome', async () => {
      const { payKey } = fixtures.createTransfer.response[201]
      server.use(handle.createTransfer(({ respond }) => respond(201, payKey)))
      const payee = await payments.keys.check('beltrana@example.com')
      expect((await payee.pay({ amount: '4.56' }).result()).kind).toBe('outcome_unknown')
    })
  })

  describe('a trailing slash', () => {
    const path = '/mobile-bff/v1/partner/webhook'

    test('distinguishes createWebhook from listWebhooks', async () => {
      expect((await send('POST', path, {})).status).toBe(201)
      const listed = await send('GET', `${path}/`)
      expect(await listed.json()).toEqual(fixtures.listWebhooks.response[200].webhooks)
    })

    test.each([
      { method: 'POST', path: `${path}/` },
      { method: 'GET', path },
      { method: 'GET', path: `${path}/an-id/` },
      { method: 'POST', path: '/mobile-bff/v1/pix/out' },
    ])('is neither added nor removed: $method $path', async ({ method, path }) => {
      await send(method, path, method === 'POST' ? {} : undefined).catch(() => {})
      expect(unhandled.pop()).toBe(`${method} ${baseUrl}${path}`)
    })
  })

  describe('one operation', () => {
    test.each(known)('$operationId returns each of its statuses', async (operation) => {
      const { operationId } = operation
      for (const status of Object.keys(responsesOf(operationId)).map(Number)) {
        server.use(handle[operationId as 'getUser'](status as 404))
        const response = await call(operation)
        expect(response.status).toBe(status)

        const isProblem = response.headers.get('content-type') === 'application/problem+json'
        expect(isProblem).toBe(status > 399)
      }
    })

    test('returns a custom body and custom headers', async () => {
      const problem = fixtures.createTransfer.response[422].amountNotAllowed
      server.use(handle.createTransfer(422, problem, { headers: { 'X-Request-Id': 'req_mine' } }))
      const payee = await payments.keys.check('beltrana@example.com')
      const result = await payee.pay({ amount: '10.50' }).result()
      if (result.ok || result.status !== 422) {
        throw new Error(`expected a refusal, got ${result.kind}`)
      }
      expect(result.error.problem).toEqual(problem)
      expect(result.error.requestId).toBe('req_mine')
    })

    test('leaves the request body readable', async () => {
      server.use(
        handle.checkKey(async ({ request, body, respond }) => {
          expect(await request.json()).toEqual(body)
          return respond(404)
        }),
      )
      expect((await payments.keys.check('a@example.com').result()).status).toBe(404)
    })

    test('`once` handles a single request', async () => {
      const retrying = createPayments({ baseUrl, auth: { token: () => 'any' } })
      server.use(handle.listUsers(503, undefined, { once: true, headers: { 'Retry-After': '0' } }))
      expect(await retrying.users.list()).toEqual(fixtures.listUsers.response[200].users)
      server.use(handle.getUser(({ respond }) => respond(404), { once: true }))
      expect((await payments.users.get('u').result()).status).toBe(404)
      expect((await payments.users.get('u').result()).status).toBe(200)
    })

    test('a 429 has the retry-after of the contract', async () => {
      server.use(handle.listUsers(429))
      const result = await payments.users.list().result()
      if (result.ok || result.status !== 429) throw new Error(`expected 429, got ${result.kind}`)
      expect(result.error.retryAfter).toBe(2000)
    })

    test('responds according to the request', async () => {
      server.use(
        handle.checkKey(({ body, respond }) =>
          body.dict_key === 'unknown' ? respond(404) : undefined,
        ),
        handle.getUser(({ params, respond }) =>
          respond(200, { ...fixtures.getUser.response[200].user, user_id: params.user_id }),
        ),
      )
      expect((await payments.keys.check('unknown').result()).status).toBe(404)
      expect((await payments.keys.check('beltrana@example.com')).owner_name).toBe('Beltrana de Tal')
      expect((await payments.users.get('a/b c')).user_id).toBe('a/b c')
    })

    test('can respond with anything outside the contract', async () => {
      server.use(handle.listUsers(() => HttpResponse.error()))
      expect((await payments.users.list().result()).kind).toBe('connection')
      server.use(
        handle.listUsers(async ({ request }) => new Response(request.method, { status: 502 })),
      )
      expect((await payments.users.list().result()).status).toBe(502)
    })
  })

  test.each([
    { baseUrl: 'https://api.example.com:8443/base/', origin: 'https://api.example.com:8443/base' },
    { baseUrl: 'HTTPS://API.example.com:443', origin: 'https://api.example.com' },
  ])('matches requests to the base URL $baseUrl', async ({ baseUrl, origin }) => {
    const other = mockPayments({ baseUrl }).handle
    server.use(other.listUsers(403))
    expect((await fetch(`${origin}/mobile-bff/v1/partner/user`)).status).toBe(403)
  })

  test('a dot in the base URL matches only a dot', async () => {
    const url = 'https://apixexample.com/mobile-bff/v1/partner/user'
    await fetch(url).catch(() => {})
    expect(unhandled.pop()).toBe(`GET ${url}`)
  })

  test('rejects a base URL that is not absolute', () => {
    expect(() => mockPayments({ baseUrl: '/api' })).toThrow(TypeError)
  })

  test('the types allow only responses of the operation', () => {
    handle.checkKey(({ body, request }) => {
      expectTypeOf(body).toEqualTypeOf<CheckKeyRequest>()
      expectTypeOf(request).toEqualTypeOf<Request>()
      return undefined
    })
    handle.getUser(({ params, body }) => {
      expectTypeOf(params.user_id).toEqualTypeOf<string>()
      expectTypeOf(body).toEqualTypeOf<undefined>()
      return undefined
    })
    // @ts-expect-error a status that the operation does not have
    handle.checkKey(409)
    // @ts-expect-error the body of another status
    handle.checkKey(404, fixtures.checkKey.response[200].email)
    // @ts-expect-error a body without required fields
    handle.checkKey(200, { owner_name: 'Beltrana de Tal' })
    // @ts-expect-error a body for a status without one
    handle.deleteWebhook(204, {})
    // @ts-expect-error a status that the operation does not have
    handle.checkKey(({ respond }) => respond(409))
    // @ts-expect-error the body of another operation
    handle.checkKey(({ respond }) => respond(200, fixtures.checkCode.response[200].static))
    // @ts-expect-error not a Response
    handle.checkKey(() => fixtures.checkKey.response[200].email)
    // @ts-expect-error a parameter of another operation
    handle.getUser(({ params, respond }) => respond(params.webhook_id ? 200 : 404))
    // @ts-expect-error no such operation
    expect(handle.payBills).toBeUndefined()
  })
}

type Responses = Readonly<Record<number, object>>

/** The examples of the responses of an operation, by status. */
function responsesOf(id: string): Responses {
  const all = fixtures as Readonly<Record<string, { readonly response?: Responses }>>
  return all[id]?.response ?? {}
}

import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createClient, createPayments, type Middleware, type Transport } from '../src/index.ts'
import { testClock } from './clock.ts'
import {
  broken,
  CUSTOMER,
  json,
  noResponse,
  problem,
  SECRET,
  service,
  TRANSFER,
  tokenSet,
} from './service.ts'

/** A hostile service, fetch, middleware, clock or caller. */
const PAID = { id: 't', status: 'settled', data: {} }
const USERS = { user_id: 'u', users: [] }
const KEY = { dict_key: 'a@example.com', initiation_id: 'ini_1' }
const TOKEN = { token: () => 't' }

describe('money', () => {
  it.each([408, 429])(
    'a payment is not retried after a %i with JSON that is not problem details',
    async (status) => {
      const { payments, sent } = service((_, count) =>
        count === 1 ? json({ message: 'Request timeout' }, status) : json(PAID, 201),
      )
      const result = await payments.transfers.create(TRANSFER).result()
      expect([result.kind, sent.length]).toEqual(['outcome_unknown', 1])
    },
  )

  it.each([408, 429])(
    'a payment is not retried after a %i whose JSON has its status but is not problem details',
    async (status) => {
      const { payments, sent } = service((_, count) =>
        count === 1 ? json({ status, error: 'Too busy' }, status) : json(PAID, 201),
      )
      const result = await payments.transfers.create(TRANSFER).result()
      expect([result.kind, sent.length]).toEqual(['outcome_unknown', 1])
    },
  )

  it('a `random` that throws does not hide that a payment may have been made', async () => {
    const random = () => {
      throw new Error('no entropy')
    }
    const { payments } = service(() => problem(503, 'unavailable'), { random })
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
  })

  it('a 421 is not a refusal: fetch may have sent the payment twice', async () => {
    const { payments } = service(() => problem(421, 'misdirected'))
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
  })

  it('problem details with another status are not a refusal', async () => {
    const relayed = { type: 'about:blank', title: 'Failed', status: 500, code: 'internal_error' }
    const { payments } = service(() => json(relayed, 400, { 'content-type': 'application/problem+json' }))
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
  })

  it.each([
    'text/html; profile="application/problem+json"',
    'application/problem+jsonp',
    'x/application/problem+json',
  ])('a 429 with another media type is not a refusal: %s', async (type) => {
    const busy = { type: 'about:blank', title: 'Too Many Requests', status: 429, code: 'rate_limited' }
    const { payments, sent } = service(() => json(busy, 429, { 'content-type': type }))
    const result = await payments.transfers.create(TRANSFER).result()
    expect([result.kind, sent.length]).toEqual(['outcome_unknown', 1])
  })

  it('ignores the case and the parameters of a media type', async () => {
    const { payments } = service(() => {
      const used = { type: 'about:blank', title: 'Conflict', code: 'initiation_used' }
      return json(used, 409, { 'content-type': 'Application/Problem+JSON ; charset=utf-8' })
    })
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('http')
  })

  it('problem details are never a success, whatever the status', async () => {
    const refused = { type: 'about:blank', title: 'Conflict', status: 409, code: 'initiation_used' }
    const { payments } = service(() => json(refused, 201, { 'content-type': 'application/problem+json' }))
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
  })

  it.each([[{}], [[]], [{ message: 'x' }]])(
    'a 404 with %j is not a refusal with problem details',
    async (body) => {
      const { payments } = service(() => json(body, 404))
      expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
    },
  )

  it('a payment is not retried if another call fails in a middleware after the payment was sent', async () => {
    const audit = service(() => broken('ECONNREFUSED'), { retries: 0, auth: TOKEN }).payments
    const log: Middleware = async (attempt, next) => {
      const reply = await next(attempt)
      if (attempt.effect === 'once') await audit.users.list()
      return reply
    }
    const { payments, sent } = service(() => json(PAID, 201), { middleware: [log] })
    const result = await payments.transfers.create(TRANSFER).result()
    expect([result.kind, sent.length]).toEqual(['outcome_unknown', 1])
  })

  it('a payment is not retried if another call in a middleware gets a 401', async () => {
    const audit = service(() => problem(401, 'invalid_token'), { retries: 0, auth: TOKEN }).payments
    const log: Middleware = async (attempt, next) => {
      const reply = await next(attempt)
      if (attempt.effect === 'once') await audit.users.list()
      return reply
    }
    const { payments, sent } = service(() => json(PAID, 201), { middleware: [log] })
    const result = await payments.transfers.create(TRANSFER).result()
    expect([result.kind, sent.length]).toEqual(['outcome_unknown', 1])
  })

  it('the outcome stays unknown if a middleware calls next again after a broken connection', async () => {
    const again: Middleware = (attempt, next) => next(attempt).catch(() => next(attempt))
    const { payments, sent } = service(
      (_, count) =>
        count === 1 ? broken('ECONNRESET') : count === 2 ? broken('ECONNREFUSED') : json(PAID, 201),
      {
        middleware: [again],
        auth: TOKEN,
      },
    )
    const result = await payments.transfers.create(TRANSFER).result()
    expect([result.kind, sent.length]).toEqual(['outcome_unknown', 1])
  })

  it('a middleware cannot send after the timeout', async () => {
    const clock = testClock()
    const slow: Middleware = async (attempt, next) => {
      if (attempt.number === 1) await new Promise<void>((go) => void clock.after(30_000, go))
      return next(attempt)
    }
    const { payments, sent } = service(() => json(PAID, 201), { middleware: [slow], auth: TOKEN, clock })
    const result = payments.transfers.create(TRANSFER).result()
    await clock.advance(100_000)
    expect([(await result).kind, sent.length]).toEqual(['ok', 1])
  })

  it('a middleware cannot send after the caller aborted', async () => {
    const clock = testClock()
    const slow: Middleware = async (attempt, next) => {
      await new Promise<void>((go) => void clock.after(1000, go))
      return next(attempt)
    }
    const { payments, sent } = service(() => json(PAID, 201), { middleware: [slow], auth: TOKEN, clock })
    const controller = new AbortController()
    const result = payments.transfers.create(TRANSFER, { signal: controller.signal }).result()
    await clock.advance(10)
    controller.abort()
    await clock.advance(100_000)
    expect([(await result).kind, sent.length]).toEqual(['aborted', 0])
  })

  it('a connection that breaks during the response counts as established, whatever the error code', async () => {
    const cut = new Response('{', { status: 201 })
    const text = () => Promise.reject(broken('ECONNREFUSED'))
    Object.defineProperties(cut, { body: { value: null }, text: { value: text } })
    const { payments, sent } = service(() => cut)
    const result = await payments.transfers.create(TRANSFER).result()
    expect([result.kind, sent.length]).toEqual(['outcome_unknown', 1])
  })

  it('null options are treated as absent', async () => {
    const { payments, api, sent } = service((it) =>
      json(it.path.includes('check') ? KEY : PAID, it.path.includes('check') ? 200 : 201),
    )
    const payee = await payments.keys.check('beltrana@example.com', null as never)
    expect((await payee.pay({ amount: '1.00' }, null as never).result()).ok).toBe(true)
    await api.POST('/mobile-bff/v1/pix/out/', null as never)
    expect(sent).toHaveLength(3)
  })

  it('a middleware cannot call next after the attempt ended', async () => {
    let again: Promise<unknown> = Promise.resolve()
    const late: Middleware = (attempt, next) => {
      again = new Promise((go) => setTimeout(go, 5)).then(() => next(attempt))
      return next(attempt)
    }
    const { payments, sent } = service(() => json(PAID, 201), { middleware: [late], auth: TOKEN })
    await payments.transfers.create(TRANSFER)
    await expect(again).rejects.toMatchObject({ kind: 'config' })
    expect(sent).toHaveLength(1)
  })

  it('a middleware may call next again after a refusal', async () => {
    const again: Middleware = async (attempt, next) => {
      const reply = await next(attempt)
      return reply.response.ok ? reply : next(attempt)
    }
    const { payments, sent } = service((_, count) => (count === 1 ? problem(422, 'x') : json(PAID, 201)), {
      middleware: [again],
      auth: TOKEN,
    })
    await payments.transfers.create(TRANSFER)
    expect(sent).toHaveLength(2)
  })

  it('an error response that a middleware creates is not a refusal', async () => {
    const gateway: Middleware = async () => ({ response: new Response('', { status: 500 }), data: undefined })
    const { payments } = service(() => json(PAID, 201), { middleware: [gateway], auth: TOKEN })
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
  })

  it('the error of an unreadable response names the request', async () => {
    const { payments } = service(
      () => new Response('', { status: 201, headers: { 'x-request-id': 'req_5' } }),
    )
    const error = await payments.transfers.create(TRANSFER).catch((it) => it)
    expect(error.request.requestId).toBe('req_5')
  })

  it('an error of a custom transport keeps the check blocked', async () => {
    const { payments, sent } = service((it) =>
      json(it.path.includes('check') ? KEY : PAID, it.path.includes('check') ? 200 : 201),
    )
    const wrapped: Transport = {
      ...payments.transport,
      async send(operation, ...rest) {
        const reply = await payments.transport.send(operation, ...rest)
        if (operation.effect === 'once') throw new Error('the log is full')
        return reply
      },
    }
    const payee = await createPayments(wrapped).keys.check('beltrana@example.com')
    await payee.pay({ amount: '1.00' }).result()
    await payee.pay({ amount: '1.00' }).result()
    expect(sent.filter(({ path }) => path.includes('/out/'))).toHaveLength(1)
  })

  it('a header that fetch refuses is a ConfigError, not an unknown outcome', async () => {
    const payments = createPayments({ baseUrl: 'http://127.0.0.1:9', auth: TOKEN })
    const result = await payments.transfers.create(TRANSFER, { headers: { 'x-note': 'a\nb' } }).result()
    expect(result.kind).toBe('config')
  })

  it('a base URL with a trailing space works or is refused', async () => {
    const make = () => createPayments({ baseUrl: 'http://127.0.0.1:9 ', auth: TOKEN, retries: 0 })
    let kind: string | undefined
    try {
      kind = (await make().transfers.create(TRANSFER).result()).kind
    } catch {
      kind = 'refused'
    }
    expect(['connection', 'refused']).toContain(kind)
  })

  it.each([0, -1, Number.NaN, '5s'])('a timeout of %s sends no payment', async (timeout) => {
    const { payments, sent } = service((it) => noResponse(it), { auth: TOKEN })
    const result = await payments.transfers.create(TRANSFER, { timeout: timeout as number }).result()
    expect([['timeout', 'config'].includes(result.kind), sent.length]).toEqual([true, 0])
  })

  it('a payment is not sent if no time is left', async () => {
    const clock = testClock()
    let jump = 0
    const now = () => clock.now() + jump
    const { payments, sent } = service(() => json(PAID, 201), {
      clock: { ...clock, now },
      auth: {
        token: async () => {
          jump = 3_600_000
          return 't'
        },
      },
    })
    const result = await payments.transfers.create(TRANSFER).result()
    expect([result.kind, sent.length]).toEqual(['timeout', 0])
  })
})

describe('a failure never reads as success', () => {
  it('a deletion that returns an HTML page', async () => {
    const { payments } = service(() => new Response('<html>Sign in', { status: 200 }))
    expect((await payments.webhooks.delete('w').result()).kind).toBe('decode')
  })

  it.each([200, 202])('a %i instead of the 201 of a transfer', async (status) => {
    const { payments } = service(() => json({ error: 'maintenance' }, status))
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
  })

  it('an error response of a middleware with content-length 0: by path', async () => {
    const none = new Response(null, { status: 500, headers: { 'content-length': '0' } })
    const { api } = service(() => json({}), {
      middleware: [async () => ({ response: none, data: { code: 'x' } })],
    })
    const outcome = await api.GET('/mobile-bff/v1/partner/user').catch((error) => ({ error }))
    expect(outcome.error).toBeTruthy()
  })

  it('a 200 with an array instead of an object', async () => {
    const { payments } = service(() => json([]))
    expect((await payments.keys.check('a').result()).kind).toBe('decode')
  })

  it('a failed sign-in is not an error of the operation: by path', async () => {
    const fetch = async (url: string) =>
      url.includes('impersonate') ? problem(404, 'not_found') : json(tokenSet('t'))
    const { payments } = service(() => json({}), { fetch })
    const api = createClient(payments.as(CUSTOMER).transport)
    const path = '/mobile-bff/v1/partner/user/{user_id}'
    const { error } = await api
      .GET(path, { params: { path: { user_id: 'u' } } })
      .catch(() => ({ error: undefined }))
    expect(error).toBeUndefined()
  })

  it('a failed sign-in is not an error of the operation: result', async () => {
    const fetch = async (url: string) =>
      url.includes('impersonate') ? problem(404, 'not_found') : json(tokenSet('t'))
    const { payments } = service(() => json({}), { fetch })
    const result = await payments.as(CUSTOMER).users.get('u').result()
    expect(result.status).not.toBe(404)
  })

  it('openapi-fetch middleware that returns an empty 500', async () => {
    const { api } = service(() => json(USERS))
    const outcome = await api
      .GET('/mobile-bff/v1/partner/user', {
        middleware: [{ onRequest: () => new Response('', { status: 500 }) }],
      })
      .catch((error) => ({ error }))
    expect(outcome.error).toBeTruthy()
  })

  it('openapi-fetch middleware that changes the response: data is a stream', async () => {
    const { api } = service(() => json(USERS))
    const outcome = await api
      .GET('/mobile-bff/v1/partner/user', { middleware: [{ onResponse: () => json(USERS) }] })
      .catch((error) => ({ error, data: USERS }))
    expect(outcome.data).toEqual(USERS)
  })
})

describe('options of a call of openapi-fetch', () => {
  it('baseUrl is used or refused', async () => {
    const urls: string[] = []
    const fetch = async (url: string) => {
      urls.push(url)
      return json(USERS)
    }
    const { api } = service(() => json({}), { fetch, auth: TOKEN })
    const init = { baseUrl: 'https://sandbox.example' }
    await api.GET('/mobile-bff/v1/partner/user', init).catch(() => {})
    expect(urls.filter((url) => new URL(url).host !== 'sandbox.example')).toEqual([])
  })

  it('bodySerializer does not encode twice', async () => {
    const { api, sent } = service(() => json(KEY))
    await api
      .POST('/mobile-bff/v1/pix/dict/check/', {
        body: { dict_key: 'a' },
        bodySerializer: (body) => JSON.stringify(body),
      })
      .catch(() => {})
    expect(sent.map(({ body }) => typeof body)).not.toContain('string')
  })

  it.each([
    ['cache', 'no-store'],
    ['credentials', 'include'],
    ['redirect', 'follow'],
    ['keepalive', true],
  ])('%s, which would be ignored, is refused', async (name, value) => {
    const { api, sent } = service(() => json(USERS))
    const call = api.GET('/mobile-bff/v1/partner/user', { [name]: value })
    await expect(call).rejects.toMatchObject({ kind: 'config', message: expect.stringContaining(name) })
    expect(sent).toEqual([])
  })

  it('fetch is used or refused', async () => {
    const { api } = service(() => json(USERS))
    let used = false
    await api
      .GET('/mobile-bff/v1/partner/user', {
        fetch: async () => {
          used = true
          return json(USERS)
        },
      })
      .catch(() => {
        used = true
      })
    expect(used).toBe(true)
  })

  it('an invalid header rejects with a PaymentsError', async () => {
    const { api } = service(() => json(USERS))
    await expect(
      api.GET('/mobile-bff/v1/partner/user', { headers: { 'x-a': 'a\nb' } }),
    ).rejects.toMatchObject({ kind: 'config' })
  })
})

describe('tokens', () => {
  it('a token supplier that hangs times out', async () => {
    const clock = testClock()
    let asked = 0
    const token = () => (++asked === 1 ? new Promise<string>(() => {}) : 't')
    const { payments } = service(() => json(USERS), { auth: { token }, clock })
    const first = payments.users.list().result()
    await clock.advance(100_000)
    expect((await first).kind).toBe('timeout')
    const second = payments.users.list().result()
    await clock.advance(100_000)
    expect((await second).kind).toBe('ok')
  })

  it('a token with expiration null is kept until it is refused', async () => {
    const fetch = async (url: string) => {
      if (!url.includes('/auth/')) return json(USERS)
      signIns++
      return json({ access_token: 't', expiration: null })
    }
    let signIns = 0
    const { payments } = service(() => json({}), { fetch })
    await payments.users.list()
    await payments.users.list()
    expect(signIns).toBe(1)
  })

  it('a token supplier that aborts the call and fails leaves no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', note)
    const controller = new AbortController()
    const token = () => {
      controller.abort('signed out')
      throw new Error('signed out')
    }
    const { payments } = service(() => json({}), { auth: { token } })
    await payments.users.list({ signal: controller.signal }).result()
    await new Promise((go) => setTimeout(go, 10))
    process.removeListener('unhandledRejection', note)
    for (const it of others) process.on('unhandledRejection', it)
    expect(unhandled).toEqual([])
  })
})

describe('secrets', () => {
  it('an error does not show a token that fetch refuses', async () => {
    const payments = createPayments({
      baseUrl: 'http://127.0.0.1:9',
      auth: { token: () => 'sec\nret' },
      retries: 0,
    })
    const error = await payments.users.list().catch((it) => it)
    expect(inspect(error)).not.toMatch(/sec\\?n?\s*ret/)
  })

  it('an error does not show credentials in a base URL', () => {
    const make = () => createPayments({ baseUrl: 'https://key:s3cret@pay.example', auth: SECRET })
    expect(make).toThrow('credentials')
    expect(make).not.toThrow('s3cret')
  })

  it.each(['a\nb', 'x'.repeat(65), 'a@example.com'])(
    'an invalid code (%j) is not in the message',
    async (code) => {
      const { payments } = service(() => json({ status: 422, code }, 422))
      const error = await payments.users.list().catch((it) => it)
      expect(error.message).toBe('listUsers was refused (422)')
    },
  )

  it('personal data of problem details is not printed', async () => {
    const { payments } = service(() => json({ code: 'x', detail: 'a@example.com' }, 422))
    const error = await payments.users.list().catch((it) => it)
    expect(inspect(error) + JSON.stringify(error)).not.toContain('a@example.com')
  })
})

describe('bodies and amounts', () => {
  it('a compressed body is read in chunks, whatever its declared length', async () => {
    const zipped = new Response(JSON.stringify(USERS), {
      headers: { 'content-length': '5', 'content-encoding': 'gzip' },
    })
    const text = () => Promise.reject(new Error('read at once'))
    const { payments } = service(() => Object.defineProperty(zipped, 'text', { value: text }))
    expect(await payments.users.list()).toEqual(USERS)
  })

  it('a small declared length does not bypass the limit', async () => {
    const { payments } = service(
      () => new Response('x'.repeat(11 * 2 ** 20), { headers: { 'content-length': '10' } }),
    )
    await expect(payments.users.list()).rejects.toThrow('expected a body of at most')
  })

  it.each(['-5.00', '1,50', 'R$ 1', '1e3'])('the amount %s is refused before it is sent', async (amount) => {
    const { payments } = service((it) =>
      json(it.path.includes('check') ? KEY : PAID, it.path.includes('check') ? 200 : 201),
    )
    const payee = await payments.keys.check('beltrana@example.com')
    expect((await payee.pay({ amount }).result()).kind).toBe('config')
  })
})

describe('a body that is not a plain object', () => {
  it.each([
    ['FormData', new FormData()],
    ['URLSearchParams', new URLSearchParams('amount=1.00')],
    ['Blob', new Blob(['{}'])],
    ['ArrayBuffer', new ArrayBuffer(2)],
    ['ReadableStream', new ReadableStream()],
    ['Map', new Map()],
    ['Array', []],
    ['String', '{}'],
    ['Null', null],
  ])('%s is refused before anything is sent, by both clients', async (name, body) => {
    const { api, payments, sent, tokens } = service(() => json(PAID, 201))
    const refused = { kind: 'config', message: `createTransfer: the body must be an object, got ${name}` }
    await expect(payments.transfers.create(body as never)).rejects.toMatchObject(refused)
    await expect(api.POST('/mobile-bff/v1/pix/out/', { body: body as never })).rejects.toMatchObject(refused)
    expect([sent, tokens]).toEqual([[], []])
  })
})

describe('base URLs', () => {
  it.each(['https://pay.example?', 'https://pay.example#', 'https://:pw@pay.example'])(
    '%s is refused',
    (baseUrl) => {
      expect(() => createPayments({ baseUrl, auth: TOKEN })).toThrow('baseUrl')
    },
  )
})

describe('lists', () => {
  it('a cursor that is not a string does not loop forever', async () => {
    const { payments, sent } = service((_, count) => {
      if (count > 20) throw new Error('for ever')
      return json({ data: [], next_cursor: { at: 1 } })
    })
    const read = async () => {
      for await (const _ of payments.qrcodes.listImmediate());
    }
    await read().catch(() => {})
    expect(sent.length).toBeLessThan(5)
  })
})

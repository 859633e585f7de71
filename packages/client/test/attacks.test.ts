import { describe, expect, it } from 'vitest'
import { createClient, createPayments, type Fetch, type Transport } from '../src/index.ts'
import { testClock } from './clock.ts'
import {
  broken,
  CUSTOMER,
  inTurn,
  json,
  KEY,
  problem,
  SETTLED,
  service,
  settle,
  TOKEN,
  TRANSFER,
  tokenSet,
  USERS,
} from './service.ts'

/**
 * A hostile service, fetch, clock or caller. Its middlewares are in openapi-fetch.test.ts, the
 * responses that leave a payment unknown in retries.test.ts.
 */
const checkedAndPaid = () =>
  service((sent) => (sent.path.includes('check') ? json(KEY) : settle(sent)))

describe('money', () => {
  it('a `random` that throws does not hide that a payment may have been made', async () => {
    const random = () => {
      throw new Error('no entropy')
    }
    const { payments } = service(() => problem(503, 'unavailable'), { random })
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
  })

  it('ignores the case and the parameters of a media type', async () => {
    const { payments } = service(() => {
      const used = { type: 'about:blank', title: 'Conflict', code: 'initiation_used' }
      return json(used, 409, { 'content-type': 'Application/Problem+JSON ; charset=utf-8' })
    })
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('http')
  })

  it.each([
    {
      title:
        'a payment is not retried if its fetch makes another call, which is refused a connection',
      respond: () => broken('ECONNREFUSED'),
    },
    {
      title: 'a payment is not retried if its fetch makes another call, which is refused a token',
      respond: () => problem(401, 'invalid_token'),
    },
  ])('$title', async ({ respond }) => {
    const audit = service(respond, { retries: 0, auth: TOKEN }).payments
    let sent = 0
    const fetch: Fetch = async (url, _init, { effect }) => {
      if (url.includes('/auth/')) return json(tokenSet('t'))
      sent++
      if (effect === 'once') await audit.users.list()
      return json(SETTLED, 201)
    }
    const { payments } = service(() => json({}), { fetch })
    expect([(await payments.transfers.create(TRANSFER).result()).kind, sent]).toEqual([
      'outcome_unknown',
      1,
    ])
  })

  it.each([undefined, {}, { status: 201 }, { status: 201, ok: true, headers: {} }])(
    'a fetch that returns %j fails, and leaves the outcome of a payment unknown',
    async (response) => {
      const fetch = async () => response as Response
      const { payments } = service(() => json({}), { fetch, auth: TOKEN, retries: 0 })
      expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
      expect((await payments.users.list().result()).kind).toBe('connection')
    },
  )

  it('a fetch that rejects with nothing is a lost connection', async () => {
    const fetch = () => Promise.reject()
    const { payments } = service(() => json({}), { fetch, auth: TOKEN, retries: 0 })
    expect((await payments.users.list().result()).kind).toBe('connection')
  })

  it('null options are treated as absent', async () => {
    const { payments, api, sent } = checkedAndPaid()
    const payee = await payments.keys.check(KEY.dict_key, null as never)
    expect((await payee.pay({ amount: '1.00' }, null as never).result()).ok).toBe(true)
    await api.POST('/mobile-bff/v1/auth/partner/token/', null as never)
    expect(sent).toHaveLength(2)
  })

  it('an error of a custom transport keeps the check blocked', async () => {
    const { payments, sent } = checkedAndPaid()
    const wrapped: Transport = {
      ...payments.transport,
      async send(operation, ...rest) {
        const response = await payments.transport.send(operation, ...rest)
        if (operation.effect === 'once') throw new Error('the log is full')
        return response
      },
    }
    const payee = await createPayments({ transport: wrapped }).keys.check(KEY.dict_key)
    await payee.pay({ amount: '1.00' }).result()
    await payee.pay({ amount: '1.00' }).result()
    expect(sent.filter(({ path }) => path.includes('/out/'))).toHaveLength(1)
  })

  it('a header that fetch refuses is a ConfigError, not an unknown outcome', async () => {
    const payments = createPayments({ baseUrl: 'http://127.0.0.1:9', auth: TOKEN })
    const result = await payments.transfers
      .create(TRANSFER, { headers: { 'x-note': 'a\nb' } })
      .result()
    expect(result.kind).toBe('config')
  })

  it('a payment is not sent if no time is left', async () => {
    const clock = testClock()
    let jump = 0
    const now = () => clock.now() + jump
    const { payments, sent } = service(() => json(SETTLED, 201), {
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
  it('a failed sign-in is not an error of the operation, for both clients', async () => {
    const signIn = inTurn(json(tokenSet('t')), problem(404, 'not_found'))
    const customer = service(() => json({}), {}, signIn).payments.as(CUSTOMER)
    expect((await customer.users.get('u').result()).status).toBeUndefined()
    const init = { params: { path: { user_id: 'u' } } }
    const failed = { operationId: 'impersonate', status: 404 }
    const call = createClient(customer).GET('/mobile-bff/v1/partner/user/{user_id}', init)
    await expect(call).rejects.toMatchObject(failed)
  })
})

describe('tokens', () => {
  it('a token supplier that hangs times out', async () => {
    const clock = testClock()
    let asked = 0
    const token = () => (++asked === 1 ? new Promise<string>(() => {}) : 't')
    const { payments } = service(() => json(USERS), { auth: { token }, clock })
    expect((await clock.endOf(payments.users.list().result())).kind).toBe('timeout')
    expect((await clock.endOf(payments.users.list().result())).kind).toBe('ok')
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
    for (const listener of others) process.on('unhandledRejection', listener)
    expect(unhandled).toEqual([])
  })
})

describe('secrets', () => {
  it.each(['a\nb', 'x'.repeat(65), 'a@example.com'])(
    'an error does not show the code %j',
    async (code) => {
      const { payments } = service(() => json({ status: 422, code }, 422))
      const error = await payments.users.list().catch((thrown) => thrown)
      expect(error.message).toMatch(/^listUsers was refused \(422\) \[GET [^\]]+\]$/)
    },
  )
})

describe('a body that is not a plain object', () => {
  it.each([
    { name: 'FormData', body: new FormData() },
    { name: 'URLSearchParams', body: new URLSearchParams('amount=1.00') },
    { name: 'Blob', body: new Blob(['{}']) },
    { name: 'ArrayBuffer', body: new ArrayBuffer(2) },
    { name: 'ReadableStream', body: new ReadableStream() },
    { name: 'Map', body: new Map() },
    { name: 'Array', body: [] },
    { name: 'String', body: '{}' },
    { name: 'Null', body: null },
  ])('$name is refused before anything is sent, by both clients', async ({ name, body }) => {
    const { api, payments, sent, tokens } = service(() => json(SETTLED, 201))
    const refused = {
      kind: 'config',
      message: expect.stringMatching(`the body must be an object, got ${name}$`),
    }
    await expect(payments.transfers.create(body as never)).rejects.toMatchObject(refused)
    await expect(
      api.POST('/mobile-bff/v1/pix/out/', { body: body as never }),
    ).rejects.toMatchObject(refused)
    expect([sent, tokens]).toEqual([[], []])
  })
})

import { describe, expect, it } from 'vitest'
import { type CallRecord, createSafeFetch, type ErrorJson, HttpError } from '../src/index.ts'
import { testClock } from './clock.ts'
import {
  broken,
  inTurn,
  json,
  problem,
  type Responder,
  SECRET,
  SETTLED,
  service,
  settle,
  TOKEN,
  TRANSFER,
  USERS,
} from './service.ts'

/** A service, and the records of its calls. */
function recorded(respond: Responder, options: Parameters<typeof service>[1] = {}) {
  const records: CallRecord[] = []
  const onCall = (record: CallRecord) => records.push(record)
  return { ...service(respond, { auth: TOKEN, onCall, ...options }), records }
}

const PAYMENT = {
  operationId: 'createTransfer',
  effect: 'once',
  method: 'POST',
  path: '/mobile-bff/v1/pix/out/',
}

describe('the record of a call', () => {
  it('has the outcome, the attempts and the request id of a success', async () => {
    const respond = inTurn(
      problem(503, 'unavailable'),
      json(USERS, 200, { 'x-request-id': 'req_2' }),
    )
    const { payments, records } = recorded(respond)
    await payments.users.list()
    expect(records).toEqual([
      {
        operationId: 'listUsers',
        effect: 'read',
        method: 'GET',
        path: '/mobile-bff/v1/partner/user',
        outcome: 'ok',
        status: 200,
        requestId: 'req_2',
        attempts: 2,
        duration: expect.any(Number) as number,
      },
    ])
  })

  it.each([
    {
      title: 'a refusal',
      respond: () => problem(422, 'insufficient_funds'),
      record: {
        outcome: 'refused',
        error: 'http',
        status: 422,
        code: 'insufficient_funds',
        requestId: 'req_1',
        attempts: 1,
      },
    },
    {
      title: 'a payment that may have been made',
      respond: () => problem(500, 'internal_error'),
      record: {
        outcome: 'unknown',
        error: 'outcome_unknown',
        status: 500,
        code: 'internal_error',
        requestId: 'req_1',
        attempts: 1,
      },
    },
    {
      title: 'a broken connection',
      respond: () => broken('ECONNRESET'),
      record: { outcome: 'unknown', error: 'outcome_unknown', attempts: 1 },
    },
    {
      title: 'no connection, after three attempts',
      respond: () => broken('ECONNREFUSED'),
      record: { outcome: 'failed', error: 'connection', attempts: 3 },
    },
  ])('says how a payment ended: $title', async ({ respond, record }) => {
    const { payments, records } = recorded(respond)
    await payments.transfers.create(TRANSFER).result()
    const duration = expect.any(Number) as number
    expect(records).toEqual([{ ...PAYMENT, duration, ...record }])
  })

  it('counts no attempt of what was not sent', async () => {
    const { payments, records } = recorded(settle)
    await payments.transfers.create({ ...TRANSFER, amount: '10,50' }).result()
    expect(records).toMatchObject([{ outcome: 'failed', error: 'config', attempts: 0 }])
  })

  it('is written for a sign-in too, before that of the call that needs it', async () => {
    const { payments, records } = recorded(() => json(USERS), { auth: SECRET })
    await payments.users.list()
    expect(records.map(({ operationId, outcome }) => [operationId, outcome])).toEqual([
      ['signIn', 'ok'],
      ['listUsers', 'ok'],
    ])
  })

  it('is written once by every door', async () => {
    const { api, safeFetch, options, records } = recorded(() => json(USERS))
    await api.GET('/mobile-bff/v1/partner/user')
    await safeFetch(`${options.baseUrl}/mobile-bff/v1/partner/user`)
    await createSafeFetch(options)(`${options.baseUrl}/mobile-bff/v1/partner/user`)
    expect(records.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok'])
  })

  it('has the time of a call with its waits', async () => {
    const clock = testClock()
    const respond = inTurn(problem(503, 'x', { 'retry-after': '3' }), json(USERS))
    const { payments, records } = recorded(respond, { clock })
    await clock.endOf(payments.users.list())
    expect(records[0]?.duration).toBe(3000)
  })

  it.each([
    {
      title: 'fails no payment if the log throws',
      onCall: () => {
        throw new Error('the disk is full')
      },
    },
    {
      title: 'fails no payment if the log rejects',
      onCall: async () => {
        throw new Error('the disk is full')
      },
    },
  ])('$title', async ({ onCall }) => {
    const { payments, sent } = service(settle, { onCall })
    expect(await payments.transfers.create(TRANSFER)).toMatchObject({ id: SETTLED.id })
    expect(sent).toHaveLength(1)
  })

  it('has nothing personal', async () => {
    const { payments, records } = recorded(() => problem(404, 'not_found'))
    await payments.keys.check('beltrana@example.com').result()
    await payments.users.get('25fd6010-0b86-417f-96a3-7c5e37646c16').result()
    expect(JSON.stringify(records)).not.toMatch(/beltrana|25fd6010/)
  })
})

describe('an error as JSON', () => {
  async function errorOf(respond: Responder): Promise<ErrorJson> {
    const { payments } = service(respond, { auth: TOKEN, retries: 0 })
    const error: unknown = await payments.transfers.create(TRANSFER).catch((thrown) => thrown)
    return JSON.parse(JSON.stringify(error))
  }

  it('has the status, the code and the request id of a refusal', async () => {
    const error = await errorOf(() => problem(409, 'initiation_used'))
    expect(error).toEqual({
      name: 'HttpError',
      kind: 'http',
      message:
        'createTransfer was refused (409 initiation_used) (request req_1) ' +
        '[POST https://pay.example/mobile-bff/v1/pix/out/]',
      operationId: 'createTransfer',
      status: 409,
      code: 'initiation_used',
      requestId: 'req_1',
    })
  })

  it('says why an outcome is unknown, and since when', async () => {
    const error = await errorOf(() => broken('ECONNRESET'))
    expect(error).toMatchObject({
      kind: 'outcome_unknown',
      operationId: 'createTransfer',
      sentAt: expect.stringMatching(/^\d{4}-.*Z$/),
      cause: { kind: 'connection', sent: true },
    })
  })

  it('has nothing that was sent, nor text of the service', async () => {
    const body = {
      code: 'x',
      status: 500,
      detail: 'Beltrana de Tal has no such key',
      cpf: '11144477735',
    }
    const text = JSON.stringify(
      await errorOf(() => json(body, 500, { 'x-request-id': 'Beltrana de Tal' })),
    )
    expect(text).not.toMatch(/Beltrana|11144477735|ini_1|a@example/)
  })
})

describe('a wrong base URL', () => {
  it.each([
    {
      title: 'is asked about after a page that is not there',
      respond: () => new Response('<h1>Not here</h1>', { status: 404 }),
    },
    {
      title: 'is asked about after JSON of another service',
      respond: () => json({ error: 'no route' }, 404),
    },
    {
      title: 'is asked about after a redirect',
      respond: () =>
        new Response('', { status: 301, headers: { location: 'https://www.example' } }),
    },
  ])('$title', async ({ respond }) => {
    const { payments } = service(respond, { auth: SECRET }, respond)
    const error: HttpError = await payments.users.list().catch((thrown) => thrown)
    expect(error).toBeInstanceOf(HttpError)
    expect(error.message).toMatch(
      /is the base URL right\? \[POST https:\/\/pay\.example\/mobile-bff\/v1\/auth\/partner\/token\/\]$/,
    )
  })

  it('is asked about after a page in place of a success', async () => {
    const page = () =>
      new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } })
    const { payments } = service(page, { auth: TOKEN })
    await expect(payments.users.list()).rejects.toThrow('is the base URL right?')
  })

  it('is not asked about after a refusal of the service', async () => {
    const { payments } = service(() => problem(404, 'not_found'), { auth: TOKEN })
    await expect(payments.users.get('u')).rejects.not.toThrow('base URL')
  })
})

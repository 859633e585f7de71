import { expect, test } from 'vitest'
import {
  type ClientOptions,
  ConfigError,
  createPayments,
  type LoggingOptions,
  type LogRecord,
  logging,
} from '../src/index.ts'
import { testClock } from './clock.ts'
import { examples } from './contract.ts'
import { attempt, inTurn, json, type Responder, service, USERS } from './service.ts'

const auth = { token: () => 'secret-token' }
const payment = { type: 'emv', emv: '000201', amount: '10.50' } as const
const transfer = examples.find(({ name, of }) => name === 'payCode' && of === '201')?.value

/** The operations with logs, and their records. */
function logged(respond: Responder, options: Partial<ClientOptions> & LoggingOptions = {}) {
  const records: LogRecord[] = []
  const { bodies = false, ...clientOptions } = options
  const clock = testClock()
  const { fetch, options: allOptions } = service(respond, {
    auth,
    clock,
    retries: 0,
    ...clientOptions,
  })
  // A clock that advances at each look, so that every attempt takes 1 ms.
  let now = 0
  const loggingOptions = { bodies, clock: { now: () => now++ }, fetch }
  const logged = logging((record) => records.push(record), loggingOptions)
  const payments = createPayments({ ...allOptions, fetch: logged })
  return { records, payments, clock }
}

/** The record with bodies of an attempt that receives `response`. */
async function recordOf(
  response: Response,
  init?: RequestInit,
  url?: string,
): Promise<LogRecord | undefined> {
  const records: LogRecord[] = []
  const { fetch } = service(() => response)
  const send = logging((record) => records.push(record), { bodies: true, fetch })
  await attempt(send, init, url === undefined ? {} : { url })
  return records[0]
}

test('writes one record per attempt, with its path template and without bodies', async () => {
  const unavailable = json({ code: 'unavailable', request_id: 'req_2' }, 503)
  const listed = json(USERS, 200, { 'x-request-id': 'req_1' })
  const { records, payments, clock } = logged(inTurn(unavailable, listed), { retries: 1 })
  await clock.endOf(payments.users.get('user-of-fulano'))
  const path = '/mobile-bff/v1/partner/user/{user_id}'
  const common = { operationId: 'getUser', effect: 'read', method: 'GET', path, duration: 1 }
  expect(records).toEqual([
    { ...common, attempt: 1, status: 503, requestId: 'req_2' },
    { ...common, attempt: 2, status: 200, requestId: 'req_1' },
  ])
})

test.each<{ title: string; respond: Responder; kind: string }>([
  {
    title: 'an attempt without a response has one record, with the error that the caller gets',
    respond: () => new TypeError('fetch failed'),
    kind: 'connection',
  },
  {
    title: 'a fetch that never ends has one record, with the error that the caller gets',
    respond: () => new Promise<never>(() => {}),
    kind: 'timeout',
  },
  {
    title:
      'a fetch that ends after the timeout has one record, with the error that the caller gets',
    respond: (sent) => endOf(sent.signal),
    kind: 'timeout',
  },
  {
    title: 'an error of this package has one record, with the error that the caller gets',
    respond: () => new ConfigError('no'),
    kind: 'config',
  },
])('$title', async ({ respond, kind }) => {
  const { records, payments, clock } = logged(respond)
  expect((await clock.endOf(payments.users.list().result())).kind).toBe(kind)
  expect(records).toEqual([expect.objectContaining({ attempt: 1, error: kind })])
  expect(records[0]).not.toHaveProperty('status')
})

async function endOf(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  throw signal.reason
}

test('records a body that cannot be read by its status, and the client reports it', async () => {
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) })
  const { records, payments } = logged(() => new Response(cut), { bodies: true })
  expect((await payments.users.list().result()).kind).toBe('connection')
  expect([records[0]?.status, records[0]?.response?.body]).toEqual([200, undefined])
})

test.each<{ title: string; sink: () => unknown }>([
  { title: 'a sink that throws changes no outcome of a payment', sink: () => JSON.parse('{') },
  {
    title: 'a sink that rejects changes no outcome of a payment',
    sink: () => Promise.reject(new Error('disk full')),
  },
])('$title', async ({ sink }) => {
  const pay = ({ fetch, options }: ReturnType<typeof service>) => {
    const payments = createPayments({ ...options, fetch: logging(sink, { bodies: true, fetch }) })
    return payments.transfers.create(payment).result()
  }
  const paying = service(() => json(transfer, 201))
  expect([(await pay(paying)).kind, paying.sent.length]).toEqual(['ok', 1])
  expect((await pay(service(() => new TypeError('fetch failed')))).kind).toBe('outcome_unknown')
})

test('shows harmless values of both messages and masks the rest', async () => {
  const url = 'https://pay.example/mobile-bff/v1/pix/out/?limit=20&tax_id=12345678909&12345678909=x'
  const init = {
    headers: {
      authorization: 'Bearer secret-token',
      'content-type': 'application/json',
      'x-own': 'Fulano',
    },
    body: JSON.stringify({
      ...payment,
      payment_date: '2026-12-15',
      beneficiary: { name: 'Fulano de Tal' },
    }),
  }
  const response = json(transfer, 201, { 'x-request-id': 'req_1', location: '/transfers/1' })
  const record = await recordOf(response, init, url)
  const body = { type: 'emv', emv: '***', amount: '***' }
  expect(record?.request).toEqual({
    headers: { 'content-type': 'application/json' },
    query: { limit: '20', tax_id: '***', '***': '***' },
    body: { ...body, payment_date: '2026-12-15', beneficiary: { name: '***' } },
  })
  const beneficiary = { account_type: 'CACC', name: '***' }
  expect(record?.response).toMatchObject({
    headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' },
    body: {
      id: '***',
      status: 'pending',
      data: { amount: '***', initiation_type: 'QRES', beneficiary },
    },
  })
})

test('masks a body that is not JSON as a whole', async () => {
  const record = await recordOf(new Response('', { status: 502 }), { body: 'Fulano' })
  expect(record?.request?.body).toBe('***')
  expect(record?.response).not.toHaveProperty('body')
})

test.each(['Fulano de Tal', 'req_1\n{"level":"fake"}', 'a@example.com', 'x'.repeat(65)])(
  'does not record %j as a request id',
  async (request_id) => {
    const record = await recordOf(json({ request_id }, 404))
    expect(JSON.stringify(record)).not.toContain(request_id.slice(0, 12))
  },
)

test('masks an unexpected value of a harmless header', async () => {
  const odd = { 'retry-after': 'amanhã', 'content-type': 'application/json; charset=utf-8' }
  const headers = { 'x-request-id': 'Fulano de Tal', 'content-type': 'Fulano' }
  const record = await recordOf(json({}, 200, odd), { headers })
  expect(record?.request?.headers).toEqual({ 'x-request-id': '***', 'content-type': '***' })
  expect(record?.response?.headers).toEqual({ ...odd, 'retry-after': '***' })
})

test('says in each record that an operation is deprecated', async () => {
  const records: LogRecord[] = []
  const { fetch } = service(() => json(USERS))
  const send = logging((record) => records.push(record), { fetch })
  await attempt(send, undefined, { isDeprecated: true })
  await attempt(send)
  expect(records.map(({ isDeprecated }) => isDeprecated)).toEqual([true, undefined])
})

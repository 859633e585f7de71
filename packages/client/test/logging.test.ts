import { expect, test } from 'vitest'
import {
  type ClientOptions,
  ConfigError,
  createPayments,
  type Fetch,
  type LoggingOptions,
  type LogRecord,
  logging,
} from '../src/index.ts'
import { attempt, fetchOf, hastyClock, responseOf } from './attempts.ts'
import { examples } from './contract.ts'

const baseUrl = 'https://pix.example.com'
const auth = { token: () => 'secret-token' }
const payment = { type: 'emv', emv: '000201', amount: '10.50' } as const
const transfer = examples.find(({ name, of }) => name === 'payCode' && of === '201')?.value

function record() {
  const records: LogRecord[] = []
  return { records, sink: (record: LogRecord) => records.push(record) }
}

/** The operations with logs, and their records. */
function logged(fetch: Fetch, options: Partial<ClientOptions> & LoggingOptions = {}) {
  const { records, sink } = record()
  const { bodies = false, ...others } = options
  const clock = hastyClock()
  const own = { baseUrl, auth, clock, retries: 0, ...others }
  const payments = createPayments({ ...own, fetch: logging(sink, { bodies, clock: hastyClock(), fetch }) })
  return { records, payments }
}

test('writes one record per attempt with its operation and outcome', async () => {
  const problem = { code: 'unavailable', request_id: 'req_2' }
  const { fetch } = fetchOf(
    responseOf(503, problem),
    responseOf(200, { users: [] }, { 'x-request-id': 'req_1' }),
  )
  const { records, payments } = logged(fetch, { retries: 1 })
  await payments.users.list()

  const common = {
    operationId: 'listUsers',
    effect: 'read',
    method: 'GET',
    path: '/mobile-bff/v1/partner/user',
    duration: 1,
  }
  expect(records).toEqual([
    { ...common, attempt: 1, status: 503, requestId: 'req_2' },
    { ...common, attempt: 2, status: 200, requestId: 'req_1' },
  ])
})

test('records the path template, never the filled path', async () => {
  const { records, payments } = logged(fetchOf(responseOf(200, {})).fetch)
  await payments.users.get('user-of-fulano')
  expect(records[0]?.path).toBe('/mobile-bff/v1/partner/user/{user_id}')
  expect(JSON.stringify(records)).not.toContain('fulano')
})

test('records the kind of error if there was no response', async () => {
  const { records, payments } = logged(fetchOf(new TypeError('fetch failed')).fetch)
  await payments.users.list().result()
  expect(records).toEqual([expect.objectContaining({ attempt: 1, error: 'connection' })])
  expect(records[0]).not.toHaveProperty('status')
})

test('writes the record on a timeout even if fetch never ends', async () => {
  const { records, payments } = logged(() => new Promise<never>(() => {}))
  await payments.users.list().result()
  expect(records).toEqual([expect.objectContaining({ error: 'timeout' })])
})

test('writes one record if fetch ends after the timeout', async () => {
  const { records, payments } = logged(async (_, { signal }) => {
    await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    throw signal?.reason
  })
  await payments.users.list().result()
  await new Promise(setImmediate)
  expect(records).toHaveLength(1)
})

test('records an error of another package as the caller sees it, and one of this package by its kind', async () => {
  for (const [error, kind] of [
    [new Error('no'), 'connection'],
    [new ConfigError('no'), 'config'],
  ] as const) {
    const { records, payments } = logged(fetchOf(error).fetch)
    expect((await payments.users.list().result()).kind).toBe(kind)
    expect(records.map(({ error }) => error)).toEqual([kind])
  }
})

test('records a body that cannot be read by its status, and the client reports it', async () => {
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) })
  const { records, payments } = logged(async () => new Response(cut), { bodies: true })
  expect((await payments.users.list().result()).kind).toBe('connection')
  expect([records[0]?.status, records[0]?.response?.body]).toEqual([200, undefined])
})

const failing: [string, () => unknown][] = [
  ['throws', () => JSON.parse('{')],
  ['rejects', () => Promise.reject(new Error('disk full'))],
]

test.each(failing)('a payment succeeds with a sink that %s', async (_, sink) => {
  const { fetch, sent } = fetchOf(responseOf(201, transfer))
  const payments = createPayments({ baseUrl, auth, fetch: logging(sink, { bodies: true, fetch }) })
  expect(await payments.transfers.create(payment).result()).toMatchObject({ ok: true, status: 201 })
  expect(sent).toHaveLength(1)
})

test.each(failing)('an error is unchanged by a sink that %s', async (_, sink) => {
  const { fetch } = fetchOf(new TypeError('fetch failed'))
  const payments = createPayments({ baseUrl, auth, fetch: logging(sink, { fetch }) })
  expect(await payments.transfers.create(payment).result()).toMatchObject({ kind: 'outcome_unknown' })
})

test('records no bodies by default', async () => {
  const { records, sink } = record()
  await attempt(logging(sink, fetchOf(responseOf(201, transfer))), { body: '{"type":"emv"}' })
  expect(records[0]).not.toHaveProperty('request')
  expect(records[0]).not.toHaveProperty('response')
})

test('shows harmless values of both messages and masks the rest', async () => {
  const { records, sink } = record()
  const url = `${baseUrl}/mobile-bff/v1/pix/out/?limit=20&tax_id=12345678909&12345678909=x`
  const init = {
    headers: { authorization: 'Bearer secret-token', 'content-type': 'application/json', 'x-own': 'Fulano' },
    body: JSON.stringify({ ...payment, payment_date: '2026-12-15', beneficiary: { name: 'Fulano de Tal' } }),
  }
  const response = responseOf(201, transfer, { 'x-request-id': 'req_1', location: '/transfers/1' })
  await attempt(logging(sink, { bodies: true, ...fetchOf(response) }), init, { url })
  expect(records[0]?.request).toEqual({
    headers: { 'content-type': 'application/json' },
    query: { limit: '20', tax_id: '***', '***': '***' },
    body: {
      type: 'emv',
      emv: '***',
      amount: '***',
      payment_date: '2026-12-15',
      beneficiary: { name: '***' },
    },
  })
  expect(records[0]?.response).toMatchObject({
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'x-request-id': 'req_1' },
    body: {
      id: '***',
      status: 'pending',
      data: { amount: '***', initiation_type: 'QRES', beneficiary: { account_type: 'CACC', name: '***' } },
    },
  })
})

test('masks a body that is not JSON as a whole', async () => {
  const { records, sink } = record()
  await attempt(logging(sink, { bodies: true, ...fetchOf(new Response('', { status: 502 })) }), {
    body: 'Fulano',
  })
  expect(records[0]?.request?.body).toBe('***')
  expect(records[0]?.response).not.toHaveProperty('body')
})

test.each(['Fulano de Tal', 'req_1\n{"level":"fake"}', 'a@example.com', 'x'.repeat(65)])(
  'does not record %j as a request id',
  async (request_id) => {
    const { records, sink } = record()
    await attempt(logging(sink, { bodies: true, ...fetchOf(responseOf(404, { request_id })) }))
    expect(JSON.stringify(records)).not.toContain(request_id.slice(0, 12))
  },
)

test('masks an unexpected value of a harmless header', async () => {
  const { records, sink } = record()
  const odd = { 'retry-after': 'amanhã', 'content-type': 'application/json; charset=utf-8' }
  const response = responseOf(200, {}, odd)
  await attempt(logging(sink, { bodies: true, ...fetchOf(response) }), {
    headers: { 'x-request-id': 'Fulano de Tal', 'content-type': 'Fulano' },
  })
  expect(records[0]?.request?.headers).toEqual({ 'x-request-id': '***', 'content-type': '***' })
  expect(records[0]?.response?.headers).toEqual({
    'retry-after': '***',
    'content-type': 'application/json; charset=utf-8',
  })
})

import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type ContextManager, context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { serve } from '@partner-payments/mock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPayments, type Tracer, type TracingOptions, tracing } from '../src/index.ts'
import { attemptOf, fetchOf, hastyClock, resultOf, run } from './attempts.ts'
import { examples } from './contract.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const tracer = provider.getTracer('test')

const baseUrl = 'https://pix.example.com/base'
const auth = { token: () => 'secret-token' }
const UNSET = 0
const ERROR = 2

beforeAll(() => context.setGlobalContextManager(contexts()))
afterAll(() => context.disable())
beforeEach(() => exporter.reset())

/** A typical OpenTelemetry setup. */
function contexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, task, self, ...args) => storage.run(context, () => task.apply(self, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

function paymentsOf(fetch: ReturnType<typeof fetchOf>['fetch'], options?: TracingOptions) {
  return createPayments({ baseUrl, auth, fetch, clock: hastyClock(), middleware: [tracing(tracer, options)] })
}

function spans() {
  return exporter.getFinishedSpans()
}

test('creates a span of a call, named by the conventions', async () => {
  const { fetch } = fetchOf(resultOf(200, {}))
  await paymentsOf(fetch).users.get('25fd6010-0b86-417f-96a3-7c5e37646c16')
  expect(spans()).toHaveLength(1)
  expect(spans()[0]).toMatchObject({
    name: 'GET /mobile-bff/v1/partner/user/{user_id}',
    kind: SpanKind.CLIENT,
    status: { code: UNSET },
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'partner_payments.operation_id': 'getUser',
      'server.address': 'pix.example.com',
      'server.port': 443,
      'url.full': 'https://pix.example.com/base/mobile-bff/v1/partner/user/REDACTED',
      'url.template': '/mobile-bff/v1/partner/user/{user_id}',
    },
  })
  expect(Object.keys(spans()[0]?.attributes ?? {})).toHaveLength(7)
})

test('creates a span per attempt and counts retries', async () => {
  const { fetch } = fetchOf(resultOf(503), resultOf(503), resultOf(200, {}))
  await paymentsOf(fetch).users.list()
  const counts = spans().map(({ attributes }) => attributes['http.request.resend_count'])
  expect(counts).toEqual([undefined, 1, 2])
})

test.each([
  ['http://127.0.0.1:4010', '127.0.0.1', 4010],
  ['http://pix.example.com', 'pix.example.com', 80],
  ['https://[::1]', '::1', 443],
])('%s has the address %s and the port %d', async (origin, address, port) => {
  const attempt = attemptOf({ url: `${origin}/mobile-bff/v1/pix/out/` })
  await run(tracing(tracer), attempt, resultOf(201, {}))
  expect(spans()[0]?.attributes).toMatchObject({ 'server.address': address, 'server.port': port })
})

test.each([400, 404, 429, 500, 503])('a status of %d is an error, named by its number', async (status) => {
  await run(tracing(tracer), attemptOf(), resultOf(status, {}))
  expect(spans()[0]).toMatchObject({
    status: { code: ERROR },
    attributes: { 'error.type': `${status}`, 'http.response.status_code': status },
  })
})

test('an attempt without a response is an error, named by its kind', async () => {
  const { fetch } = fetchOf(new TypeError('fetch failed'))
  await paymentsOf(fetch).transfers.create({ type: 'emv', emv: '000201', amount: '1.00' }).result()
  expect(spans()[0]).toMatchObject({ status: { code: ERROR }, attributes: { 'error.type': 'connection' } })
  expect(spans()[0]?.attributes).not.toHaveProperty('http.response.status_code')
})

test('ends the span on a timeout even if fetch never ends', async () => {
  await paymentsOf(() => new Promise(() => {}))
    .users.list()
    .result()
  expect(spans()[0]?.attributes['error.type']).toBe('timeout')
})

test('a span contains no id, key, query or token', async () => {
  const attempt = attemptOf({
    path: '/mobile-bff/v1/partner/user/{user_id}',
    url: 'https://pix.example.com/mobile-bff/v1/partner/user/MARKER?tax_id=MARKER',
    headers: { authorization: 'Bearer MARKER' },
    body: 'MARKER',
    input: 'MARKER',
  })
  await run(tracing(tracer), attempt, resultOf(404, { detail: 'MARKER' }, { 'x-other': 'MARKER' }))
  const { name, attributes, events, status } = spans()[0] ?? {}
  expect(JSON.stringify({ name, attributes, events, status })).not.toContain('MARKER')
})

test('a span shows only the origin of a URL that another middleware set', async () => {
  const attempt = attemptOf({ url: 'https://proxy.example.com/MARKER/else' })
  await run(tracing(tracer), attempt, resultOf(201, {}))
  expect(spans()[0]?.attributes['url.full']).toBe('https://proxy.example.com/mobile-bff/v1/pix/out/')
})

test('sends traceparent and replaces the one of the caller', async () => {
  const { fetch, sent } = fetchOf(resultOf(200, {}))
  await paymentsOf(fetch).users.list({ headers: { traceparent: '00-1-1-00', 'x-own': '1' } })
  const { traceId, spanId } = spans()[0]?.spanContext() ?? {}
  expect(sent[0]?.init.headers).toMatchObject({ traceparent: `00-${traceId}-${spanId}-01`, 'x-own': '1' })
  expect(sent[0]?.init.headers).not.toHaveProperty('tracestate')
})

test('the span is a child of the active span and sends its tracestate', async () => {
  const { fetch, sent } = fetchOf(resultOf(200, {}))
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceState = {
    serialize: () => 'shop=1',
    get: () => '',
    set: () => traceState,
    unset: () => traceState,
  }
  const spanContext = { traceId, spanId: 'b7ad6b7169203331', traceFlags: 1, isRemote: true, traceState }
  const active = trace.setSpanContext(context.active(), spanContext)
  await context.with(active, () => paymentsOf(fetch).users.list())
  expect(spans()[0]?.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
  expect(sent[0]?.init.headers).toMatchObject({
    traceparent: expect.stringContaining(traceId),
    tracestate: 'shop=1',
  })
})

test.each(['a=✓', 'a\nb', '', 'x'.repeat(513)])('does not send an invalid tracestate (%j)', async (text) => {
  const { fetch, sent } = fetchOf(resultOf(200, {}))
  const traceState = {
    serialize: () => text,
    get: () => '',
    set: () => traceState,
    unset: () => traceState,
  }
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const spanContext = { traceId, spanId: 'b7ad6b7169203331', traceFlags: 1, isRemote: true, traceState }
  await context.with(trace.setSpanContext(context.active(), spanContext), () =>
    paymentsOf(fetch).users.list(),
  )
  expect(sent[0]?.init.headers).not.toHaveProperty('tracestate')
})

test('sends no traceparent with `propagate: false`', async () => {
  const { fetch, sent } = fetchOf(resultOf(200, {}))
  await paymentsOf(fetch, { propagate: false }).users.list()
  expect(sent[0]?.init.headers).not.toHaveProperty('traceparent')
  expect(spans()).toHaveLength(1)
})

test('sends no traceparent of a disabled tracer', async () => {
  const { fetch, sent } = fetchOf(resultOf(200, {}))
  const middleware = [tracing(trace.getTracer('nobody listens'))]
  await createPayments({ baseUrl, auth, fetch, middleware }).users.list()
  expect(sent[0]?.init.headers).not.toHaveProperty('traceparent')
})

const broken = () => {
  throw new Error('the tracer is broken')
}
const span = { spanContext: broken, setAttributes: broken, setStatus: broken, end: broken }
const tracers: [string, Tracer][] = [
  ['startSpan', { startSpan: broken }],
  ['every method of a span', { startSpan: () => span }],
]

test.each(tracers)('a payment succeeds with a tracer whose %s throws', async (_, tracer) => {
  const transfer = examples.find(({ operationId, of }) => operationId === 'createTransfer' && of === '201')
  const { fetch, sent } = fetchOf(resultOf(201, transfer?.value))
  const payments = createPayments({ baseUrl, auth, fetch, middleware: [tracing(tracer)] })
  const call = payments.transfers.create({ type: 'emv', emv: '000201', amount: '10.50' })
  expect(await call.result()).toMatchObject({ ok: true, status: 201 })
  expect(sent).toHaveLength(1)
})

test.each(tracers)('an error is unchanged by a tracer whose %s throws', async (_, tracer) => {
  const { fetch } = fetchOf(resultOf(404, { code: 'not_found' }))
  const payments = createPayments({ baseUrl, auth, fetch, middleware: [tracing(tracer)] })
  expect(await payments.users.get('1').result()).toMatchObject({ kind: 'http', status: 404 })
})

test('a span ends even if its attributes are refused', async () => {
  let ended = 0
  const halfBroken = { ...span, end: () => ended++ }
  await run(tracing({ startSpan: () => halfBroken }), attemptOf(), resultOf(500))
  expect(ended).toBe(1)
})

test('a sign-in over HTTP has its own span', async () => {
  const mock = await serve({ port: 0 })
  const auth = { clientKey: 'key', clientSecret: 'secret' }
  await createPayments({ baseUrl: mock.url, auth, middleware: [tracing(tracer)] }).users.list()
  await mock.close()
  expect(spans().map(({ name }) => name)).toEqual([
    'POST /mobile-bff/v1/auth/partner/token/',
    'GET /mobile-bff/v1/partner/user',
  ])
})

import { expect, test } from 'vitest'
import type { HttpResponse } from '../../src/model/http.ts'
import { createRetryingTransport } from '../../src/transport/retry.ts'

const CALL = { method: 'GET', path: '/', headers: {}, body: undefined }
const FINE: HttpResponse = { status: 200, headers: {}, text: '', ms: 0 }
const less = (after?: string): HttpResponse => ({
  status: 429,
  headers: after === undefined ? {} : { 'retry-after': after },
  text: '',
  ms: 0,
})

/** A transport with these responses, whose clock moves only by sleeping. The last response is repeated. */
function patient(...responses: HttpResponse[]) {
  const slept: number[] = []
  let now = Date.parse('2026-07-01T12:00:00Z')
  let sent = 0
  const transport = createRetryingTransport(
    { send: async () => responses[Math.min(sent++, responses.length - 1)] ?? FINE, close: async () => {} },
    {
      now: () => now,
      sleep: async (ms) => {
        slept.push(ms)
        now += ms
      },
    },
  )
  return { transport, slept, sent: () => sent }
}

test.each([
  ['2', 2_000],
  ['0', undefined],
  ['Wed, 01 Jul 2026 12:00:05 GMT', 5_000],
  [undefined, 1_000],
  ['soon', 1_000],
])('retries a 429 with retry-after %s after that time', async (after, ms) => {
  const { transport, slept } = patient(less(after), FINE)
  expect((await transport.send(CALL)).status).toBe(200)
  expect(slept).toEqual(ms === undefined ? [] : [ms])
})

test('retries until another status, and keeps the first response', async () => {
  const { transport, sent } = patient(less('1'), less('2'), FINE)
  const response = await transport.send(CALL)
  expect([response.status, response.limited?.headers, sent()]).toEqual([200, { 'retry-after': '1' }, 3])
})

test('has no earlier response without a retry', async () => {
  expect((await patient(FINE).transport.send(CALL)).limited).toBeUndefined()
})

test('retries at most twenty times', async () => {
  const { transport, sent } = patient(less('1'))
  expect((await transport.send(CALL)).status).toBe(429)
  expect(sent()).toBe(21)
})

test('does not retry after more than the longest wait', async () => {
  const { transport, slept, sent } = patient(less('61'))
  expect((await transport.send(CALL)).status).toBe(429)
  expect({ slept, sent: sent() }).toEqual({ slept: [], sent: 1 })
})

test('waits five minutes at most in a run', async () => {
  const { transport, slept } = patient(less('30'))
  for (let i = 0; i < 20; i++) await transport.send(CALL)
  expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(300_000)
})

test('delays other requests meanwhile', async () => {
  const { transport, slept } = patient(less('10'), FINE)
  const first = transport.send(CALL)
  const order: string[] = []
  await Promise.all([
    first.then(() => order.push('first')),
    transport.send(CALL).then(() => order.push('second')),
  ])
  expect(slept).toEqual([10_000])
  expect(order.toSorted()).toEqual(['first', 'second'])
})

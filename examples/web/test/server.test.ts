import {
  checkCode,
  impersonate,
  onTransferRejected,
  onTransferSettled,
} from '@partner-payments/client/fixtures'
import { generateSecret, signForTest, type WebhookEvent } from '@partner-payments/client/webhooks'
import { serve } from '@partner-payments/mock'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createBackEnd } from '../server.ts'
import { createSettlements } from '../settlements.ts'
import { secrets } from './example.ts'

let mock: Awaited<ReturnType<typeof serve>>
let events: WebhookEvent[]
let settlements: ReturnType<typeof createSettlements>

beforeAll(async () => {
  mock = await serve({ port: 0 })
})
afterAll(() => mock.close())
beforeEach(() => {
  events = []
  settlements = createSettlements()
})

function backEnd(baseUrl = mock.url) {
  const customer = impersonate.request.actForCustomer
  const hosts = ['shop.example']
  return createBackEnd({
    ...secrets,
    baseUrl,
    customer,
    hosts,
    code: checkCode.request.static.emv,
    settlementOf: settlements.of,
    page: '.',
    onEvent(event) {
      events.push(event)
      settlements.record(event)
    },
  })
}

/** Sends a request as the server hands it on: without looking at its host. */
async function send(origin: string, init: RequestInit, path = '/token'): Promise<Response> {
  const request = new Request(`http://localhost${path}`, init)
  Object.defineProperty(request, 'url', { value: origin + path })
  return backEnd().fetch(request)
}

test('gives the access token of the customer and nothing else', async () => {
  const response = await backEnd().request('/token', { method: 'POST' })
  expect(await response.json()).toBe(impersonate.response[200].actForCustomer.access_token)
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test.each([
  ['of another host', 'http://evil.example', {}],
  ['of a host that resembles this one', 'http://localhost.evil.example', {}],
  ['of a host that cannot be parsed', 'http://256.256.256.256', {}],
  ['from another origin', 'http://127.0.0.1:4030', { origin: 'http://evil.example' }],
  ['from another port', 'http://127.0.0.1:4030', { origin: 'http://127.0.0.1:4031' }],
  ['from a page without an origin', 'http://127.0.0.1:4030', { origin: 'null' }],
  ['from another site', 'http://127.0.0.1:4030', { 'sec-fetch-site': 'cross-site' }],
  ['from another name of the same site', 'http://localhost:4030', { 'sec-fetch-site': 'same-site' }],
])('gives no token to a request %s', async (_, origin, headers) => {
  const response = await send(origin, { method: 'POST', headers })
  expect(response.status).toBe(403)
  expect(await response.text()).toMatch(/^Refused: expected a request of this server's own page/)
})

test.each([
  ['http://localhost:4030', { origin: 'http://localhost:4030', 'sec-fetch-site': 'same-origin' }],
  ['http://[::1]:4030', { origin: 'http://[::1]:4030' }],
  ['http://shop.example', { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }],
])('gives its own page at %s a token', async (origin, headers) => {
  expect((await send(origin, { method: 'POST', headers })).status).toBe(200)
})

test('serves a page that is opened by a link of another site, and not under another name', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  expect((await send('http://localhost', { headers }, '/config')).status).toBe(200)
  expect((await send('http://evil.example', { headers }, '/config')).status).toBe(403)
})

test('lets the page load from here and call the service, and nothing else', async () => {
  const policy = (await backEnd().request('/config')).headers.get('content-security-policy')
  expect(policy).toContain(`connect-src 'self' ${mock.url};`)
  expect(policy).toContain("default-src 'self'")
})

test('says no more than 502 where the service does not answer', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const response = await backEnd('http://127.0.0.1:9').request('/token', { method: 'POST' })
  expect([response.status, await response.text()]).toEqual([502, ''])
  expect(error.mock.calls.join()).not.toContain(secrets.clientSecret)
  error.mockRestore()
})

test('takes a delivery that is genuine, under any name', async () => {
  const event = onTransferSettled.request.transferSettled
  const delivery = await signForTest(event, secrets.webhookSecret)
  const response = await backEnd().request('http://tunnel.example/webhooks', delivery)
  expect(response.status).toBe(204)
  expect(events).toEqual([event])
})

test('says how a transfer ended once a webhook said it', async () => {
  const app = backEnd()
  const { data } = onTransferSettled.request.transferSettled
  const ask = async () => (await app.request(`/payments/${data.id}`)).json()
  expect(await ask()).toBeNull()
  const event = onTransferSettled.request.transferSettled
  await app.request('/webhooks', await signForTest(event, secrets.webhookSecret))
  expect(await ask()).toEqual({ status: 'settled', rejection_message: '' })
})

test('keeps how the last 1,000 transfers ended, and nothing of other events', () => {
  const { data } = onTransferRejected.request.transferRejected
  const rejected = (id: string) => ({ type: 'transfer.rejected', data: { ...data, id } }) as WebhookEvent
  for (let i = 0; i < 1001; i++) settlements.record(rejected(`${i}`))
  settlements.record({ ...rejected('other'), type: 'qrcode.paid' } as WebhookEvent)
  expect(['0', '1', '1000', 'other'].map((id) => settlements.of(id)?.status)).toEqual([
    undefined,
    'rejected',
    'rejected',
    undefined,
  ])
})

test('refuses a delivery that somebody else signed', async () => {
  const event = onTransferSettled.request.transferSettled
  const response = await backEnd().request('/webhooks', await signForTest(event, generateSecret()))
  expect([response.status, await response.json()]).toEqual([400, { code: 'signature-mismatch' }])
  expect(events).toEqual([])
})

test('refuses a delivery that is too large', async () => {
  const body = new Uint8Array(64 * 1024 + 1)
  expect((await backEnd().request('/webhooks', { method: 'POST', body })).status).toBe(413)
})

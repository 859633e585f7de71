import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateSecret, sign, signForTest } from '@partner-payments/webhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const [current, previous] = [generateSecret(), generateSecret()]
process.env.WEBHOOK_SECRETS = `${current} ${previous}`
process.env.INBOX = ':memory:'
process.env.PORT = '0'

// After the environment is set, because the receivers are programs and read it when they start.
const { inbox } = await import('../receivers/inbox.ts')

const event = {
  type: 'qrcode.paid',
  timestamp: '2026-11-02T14:30:04Z',
  data: { additional_information: 'Café' },
}

type Send = (delivery: RequestInit) => Promise<Response>

async function overHttp(
  start: () => Promise<{ server: unknown }>,
): Promise<{ send: Send; stop: () => void }> {
  const server = (await start()).server as Server // hono's type also admits HTTP/2, which it does not start here
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has one
  const send: Send = (delivery) => fetch(`http://127.0.0.1:${port}/webhooks`, delivery)
  return { send, stop: () => server.close() }
}

async function asRouteHandler() {
  const { POST } = await import('../receivers/next.ts')
  const send: Send = (delivery) => POST(new Request('http://localhost/webhooks', delivery))
  return { send, stop: () => {} }
}

const receivers = {
  'Express, over HTTP': () => overHttp(() => import('../receivers/express.ts')),
  'Hono, over HTTP': () => overHttp(() => import('../receivers/hono.ts')),
  'Fastify, over HTTP': () => overHttp(() => import('../receivers/fastify.ts')),
  'Next.js, its route handler without Next.js': asRouteHandler,
}

describe.each(Object.entries(receivers))('%s', (_, start) => {
  let send: Send
  let stop: () => void
  beforeAll(async () => {
    ;({ send, stop } = await start())
  })
  afterAll(() => stop())

  const kept = (id: string) => inbox.waiting().filter((each) => each.id === id)

  test('keeps a delivery and answers 204', async () => {
    const delivery = await signForTest(event, current)
    expect((await send(delivery)).status).toBe(204)
    expect(kept(delivery.headers['webhook-id'])).toMatchObject([{ event }])
  })

  test('keeps a delivery once, and answers 204 to each attempt', async () => {
    const id = `msg_${crypto.randomUUID()}`
    for (const now of [Date.now() - 60_000, Date.now()]) {
      expect((await send(await signForTest(event, current, { id, now: () => now }))).status).toBe(204)
    }
    expect(kept(id)).toHaveLength(1)
    inbox.done(id)
    await send(await signForTest(event, current, { id }))
    expect(kept(id)).toHaveLength(0)
  })

  test('accepts both secrets while one replaces the other', async () => {
    for (const secrets of [[current], [previous], [generateSecret(), previous]]) {
      expect((await send(await signForTest(event, secrets))).status).toBe(204)
    }
    expect((await send(await signForTest(event, generateSecret()))).status).toBe(400)
  })

  test.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['application/cloudevents+json'],
    ['text/plain'],
    [undefined],
  ])('verifies the bytes as they came, with the content type %s', async (type) => {
    // What a parser and JSON.stringify would not give back: spaces, escapes, the last digits of a number.
    const body = new TextEncoder().encode(
      '{ "type":"qrcode.paid",\n "data" : "Caf\\u00e9 Café", "n": 1.50 }\n',
    )
    const signed = await sign(body, current, { id: `msg_${crypto.randomUUID()}` })
    const headers = type ? { ...signed, 'content-type': type } : signed
    expect((await send({ method: 'POST', headers, body })).status).toBe(204)
    expect(kept(signed['webhook-id'])).toMatchObject([{ event: { data: 'Café Café' } }])
  })

  test('refuses a delivery that was changed, and keeps nothing', async () => {
    const delivery = await signForTest(event, current)
    const response = await send({ ...delivery, body: delivery.body.replace('Café', 'Cafe') })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ code: 'signature-mismatch' })
    expect(kept(delivery.headers['webhook-id'])).toEqual([])
  })

  test('refuses an old delivery, a body without a signature, and a signature without a body', async () => {
    const old = await signForTest(event, current, { now: () => Date.now() - 301_000 })
    expect(await (await send(old)).json()).toEqual({ code: 'timestamp-too-old' })
    const unsigned = await send({ method: 'POST', body: '{}' })
    expect([unsigned.status, await unsigned.json()]).toEqual([400, { code: 'id-missing' }])
    const { headers } = await signForTest(event, current)
    expect((await send({ method: 'POST', headers })).status).toBe(400)
  })

  test('refuses a body over 64 KB by 413', async () => {
    const large = await signForTest({ ...event, data: 'x'.repeat(64 * 1024) }, current)
    expect((await send(large)).status).toBe(413)
  })
})

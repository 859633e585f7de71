import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import { generateSecret, sign, signForTest } from '@partner-payments/webhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

const current = generateSecret()
const previous = generateSecret()
vi.stubEnv('INBOX', ':memory:')
vi.stubEnv('PORT', '0')

const event = {
  type: 'qrcode.paid',
  timestamp: '2026-11-02T14:30:04Z',
  data: { additional_information: 'Café' },
}

// What a receiver logs is its own fault, or that of its machine: a test that expects none takes
// nothing.
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
const takeLog = () => logged.mock.calls.splice(0)
afterEach(() => expect(takeLog()).toEqual([]))

/**
 * Each is a program that starts a server. Next.js itself is left out: a server of Hono calls its
 * route handler.
 */
const receivers = {
  Express: () => import('../receivers/express.ts'),
  Hono: () => import('../receivers/hono.ts'),
  Fastify: () => import('../receivers/fastify.ts'),
  'Next.js': async () => {
    const { POST } = await import('../receivers/next.ts')
    return { server: serve({ fetch: POST, port: 0 }) }
  },
}

/**
 * A receiver anew, because it reads the environment when it starts; and the inbox that it fills.
 */
async function startWith(
  secrets: string | undefined,
  receiver: () => Promise<{ server: unknown }>,
) {
  vi.resetModules()
  vi.stubEnv('WEBHOOK_SECRETS', secrets)
  const { inbox } = await import('../receivers/inbox.ts')
  // The type of Hono also admits HTTP/2, which it does not start here.
  const server = (await receiver()).server as Server
  if (!server.listening) await once(server, 'listening')
  const url = `http://127.0.0.1:${addressOf(server).port}/webhooks`
  return { server, inbox, send: (delivery: RequestInit) => fetch(url, delivery) }
}

// A TCP server that listens has one.
const addressOf = (server: Server) => server.address() as AddressInfo

/** The status of a POST with neither a body nor a length, which `fetch` cannot send. */
async function statusOfBare(
  port: number,
  headers: Record<string, string>,
): Promise<number | undefined> {
  const bare = request({ port, method: 'POST', path: '/webhooks', headers, agent: false })
  bare.removeHeader('content-length')
  bare.removeHeader('transfer-encoding')
  const [response] = await once(bare.end(), 'response')
  response.resume()
  return response.statusCode
}

/** Sends the begin of a body, hangs up, and waits until the server has seen it. */
async function hangUp(server: Server, begin: string): Promise<void> {
  const socket = connect(addressOf(server).port, '127.0.0.1')
  const [seen] = await once(server, 'connection')
  socket.write(`POST /webhooks HTTP/1.1\r\nhost: localhost\r\n${begin}`)
  await once(server, 'request')
  socket.destroy()
  await new Promise((resolve) => seen.once('close', resolve))
  // What is said about it is said in the turns after.
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

describe.each(Object.entries(receivers))('%s', (_, receiver) => {
  let running: Awaited<ReturnType<typeof startWith>>
  const send = (delivery: RequestInit) => running.send(delivery)
  beforeAll(async () => {
    // With a space and a line end too many, as a file or a shell leaves them.
    running = await startWith(` ${current}  ${previous} \n`, receiver)
  })
  afterAll(() => void running.server.close())

  const kept = (id: string) => running.inbox.waiting().filter((each) => each.id === id)

  test('keeps a delivery once, and returns 204 to each attempt', async () => {
    const id = `msg_${crypto.randomUUID()}`
    for (const now of [Date.now() - 60_000, Date.now()]) {
      const delivery = await signForTest(event, current, { id, now: () => now })
      expect((await send(delivery)).status).toBe(204)
    }
    expect(kept(id)).toHaveLength(1)
    running.inbox.done(id)
    await send(await signForTest(event, current, { id }))
    expect(kept(id)).toHaveLength(0)
  })

  test('accepts both secrets while one replaces the other', async () => {
    for (const secrets of [[current], [previous], [generateSecret(), previous]]) {
      expect((await send(await signForTest(event, secrets))).status).toBe(204)
    }
    expect((await send(await signForTest(event, generateSecret()))).status).toBe(400)
  })

  test.each(['application/json; charset=utf-8', 'text/plain', ';;;', '', undefined])(
    'verifies the bytes as they came, with the content type %s',
    async (type) => {
      // What a parser and JSON.stringify would not give back: spaces, escapes, the last digits of a
      // number.
      const text = '{ "type":"qrcode.paid",\n "data" : "Caf\\u00e9 Café", "n": 1.50 }\n'
      const body = new TextEncoder().encode(text)
      const signed = await sign(body, current, { id: `msg_${crypto.randomUUID()}` })
      const headers = type === undefined ? signed : { ...signed, 'content-type': type }
      expect((await send({ method: 'POST', headers, body })).status).toBe(204)
      expect(kept(signed['webhook-id'])).toMatchObject([{ body: text }])
    },
  )

  test('refuses the compressed bytes of a body that was signed plain', async () => {
    const { headers, body } = await signForTest(event, current)
    const packed = { ...headers, 'content-encoding': 'gzip' }
    const response = await send({ method: 'POST', headers: packed, body: gzipSync(body) })
    expect([400, 415]).toContain(response.status)
    expect(kept(headers['webhook-id'])).toEqual([])
  })

  test('refuses a delivery that was changed, and keeps nothing', async () => {
    const delivery = await signForTest(event, current)
    const response = await send({ ...delivery, body: delivery.body.replace('Café', 'Cafe') })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ code: 'signature-mismatch' })
    expect(kept(delivery.headers['webhook-id'])).toEqual([])
  })

  test('refuses a signature without a body', async () => {
    const headers = await sign('', current, { id: 'msg_1' })
    const typed = { ...headers, 'content-type': 'application/json' }
    const empty = await send({ method: 'POST', headers: typed })
    expect([empty.status, await empty.json()]).toEqual([400, { code: 'body-not-json' }])
  })

  test('takes an event that is larger than the request whose record it shows', async () => {
    const large = await signForTest({ ...event, data: 'x'.repeat(70_000) }, current)
    const response = await send(large)
    expect(response.status).toBe(204)
  })

  test('refuses a body over 128 KB by 413, without a word about itself', async () => {
    const large = await signForTest({ ...event, data: 'x'.repeat(128 * 1024) }, current)
    const response = await send(large)
    expect(response.status).toBe(413)
    expect(await response.text()).toBe('')
  })

  test('returns 500 and logs why, where an event cannot be kept', async () => {
    const full = new Error('no space left in /var/lib/inbox.db')
    vi.spyOn(running.inbox, 'add').mockImplementationOnce(() => {
      throw full
    })
    const response = await send(await signForTest(event, current))
    expect([response.status, await response.text()]).toEqual([500, ''])
    expect(takeLog()).toEqual([[full]])
  })

  test('does not start where its own secret is malformed', async () => {
    await expect(startWith(current.slice(0, 28), receiver)).rejects.toMatchObject({
      code: 'secret-invalid',
    })
  })

  test.each([undefined, '', ' \n'])('does not start where WEBHOOK_SECRETS is %j', async (none) => {
    await expect(startWith(none, receiver)).rejects.toThrow('got none: set the variable')
  })

  test('refuses a signature without a body, where the request gives no length and no type', async () => {
    const headers = await sign('', current, { id: 'msg_1' })
    for (const each of [headers, { ...headers, 'content-type': 'application/json' }])
      expect(await statusOfBare(addressOf(running.server).port, each)).toBe(400)
  })

  test.each([['content-length: 9\r\n\r\n{'], ['transfer-encoding: chunked\r\n\r\n1\r\n{\r\n']])(
    'logs nothing of a caller who hangs up after %j',
    async (begin) => {
      await hangUp(running.server, begin)
      expect(takeLog()).toEqual([])
    },
  )
})

test.each(['Express', 'Hono', 'Fastify'] as const)(
  '%s listens for other machines',
  async (name) => {
    const { server } = await startWith(current, receivers[name])
    expect(['::', '0.0.0.0']).toContain(addressOf(server).address)
    server.close()
  },
)

describe('where there is no SQLite', () => {
  /** What `keep` stored, by the path. */
  const stored = new Map<string, string>()
  const inbox = createServer(async (request, response) => {
    stored.set(`${request.method} ${request.url}`, await text(request))
    response.writeHead(204).end()
  })
  beforeAll(async () => {
    await once(inbox.listen(0, '127.0.0.1'), 'listening')
    vi.resetModules()
    vi.stubEnv('INBOX_URL', `http://127.0.0.1:${addressOf(inbox).port}/inbox`)
    vi.stubEnv('WEBHOOK_SECRETS', current)
  })
  afterAll(() => void inbox.close())

  test('the edge runtime of Next.js, whose getBuiltinModule throws, keeps a delivery', async () => {
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => {
      throw new Error('A Node.js API is used which is not supported in the Edge Runtime')
    })
    const { POST, runtime } = await import('../receivers/next-edge.ts')
    const delivery = await signForTest(event, current, { id: 'msg_edge' })
    const received = (init: RequestInit) => POST(new Request('http://localhost/webhooks', init))
    expect((await received(delivery)).status).toBe(204)
    expect((await received({ ...delivery, body: '{}' })).status).toBe(400)
    vi.mocked(process.getBuiltinModule).mockRestore()

    expect(runtime).toBe('edge')
    expect(stored.get('PUT /inbox/msg_edge')).toBe(delivery.body)
  })

  test.each([false, true])(
    'a Lambda keeps a delivery, with base64: %s',
    async (isBase64Encoded) => {
      const { handler } = await import('../receivers/lambda.ts')
      const id = `msg_lambda_${isBase64Encoded}`
      const { headers, body } = await signForTest(event, current, { id })
      const encoded = isBase64Encoded ? Buffer.from(body).toString('base64') : body
      // Lambda sends more, which the receiver does not read.
      const sent: unknown = { headers, body: encoded, isBase64Encoded }
      const delivery = sent as Parameters<typeof handler>[0]
      expect(await handler(delivery)).toEqual({ statusCode: 204 })
      expect(stored.get(`PUT /inbox/${id}`)).toBe(body)

      expect(await handler({ ...delivery, body: 'e30=' })).toMatchObject({
        statusCode: 400,
        body: '{"code":"signature-mismatch"}',
      })
    },
  )

  test('a Lambda returns 500 and logs why, where an event cannot be kept', async () => {
    vi.resetModules()
    vi.stubEnv('INBOX_URL', 'http://127.0.0.1:1')
    const { handler } = await import('../receivers/lambda.ts')
    const { headers, body } = await signForTest(event, current)
    // Lambda sends more, which the receiver does not read.
    const delivery = { headers, body } as unknown as Parameters<typeof handler>[0]
    expect(await handler(delivery)).toEqual({ statusCode: 500 })
    expect(takeLog()).toHaveLength(1)
  })
})

test('print.mjs says in one line that its port is in use, and ends with 1', async () => {
  const other = createServer().listen(0)
  await once(other, 'listening')
  const { port } = addressOf(other)
  const receiver = spawn(process.execPath, [join(import.meta.dirname, '../receivers/print.mjs')], {
    env: { ...process.env, PORT: `${port}`, WEBHOOK_SECRET: current },
  })
  const [stderr, [code]] = await Promise.all([text(receiver.stderr), once(receiver, 'close')])
  other.close()
  expect({ stderr, code }).toEqual({
    stderr: expect.stringMatching(/^listen EADDRINUSE.*; PORT sets another port\n$/),
    code: 1,
  })
})

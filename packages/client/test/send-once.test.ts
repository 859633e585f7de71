import { afterAll, describe, expect, it, vi } from 'vitest'
import { problem, REPEATING, startCountingServer } from '../scripts/counting-server.ts'
import { message, startRawServer } from '../scripts/raw-server.ts'
import { doors, sendOnce } from '../scripts/send-once.mjs'
import * as client from '../src/index.ts'
import { TOKEN as auth, json, KEY, SETTLED, service, TRANSFER } from './service.ts'

const server = await startCountingServer()
afterAll(() => server.close())

describe.each(doors)('a request of effect once of %s', (door) => {
  it('reaches the server exactly once, however it responds', async () => {
    const own = await startCountingServer()
    const ends = await sendOnce(client, door, own.url, REPEATING)
    own.close()
    const names = REPEATING.flatMap((scenario) => [`${scenario} POST`, `${scenario} PATCH`])
    expect(own.counts).toEqual(Object.fromEntries(names.map((name) => [name, 1])))
    // Interim responses are skipped, except an unsolicited 100, which undici treats as an error.
    const kindOf = (name: string) => (name === 'hinted POST' ? 'ok' : 'outcome_unknown')
    expect(ends).toEqual(Object.fromEntries(names.map((name) => [name, kindOf(name)])))
  })
})

describe('a request of effect once', () => {
  it('reaches the server once with a fetch that retries', async () => {
    const fetch = (url: string, init: RequestInit) =>
      globalThis.fetch(url, init).catch(() => globalThis.fetch(url, init))
    const baseUrl = `${server.url}/dropped`
    const payments = client.createPayments({ baseUrl, auth, fetch })
    const result = await payments.transfers.create(TRANSFER).result()
    expect([result.kind, server.counts['dropped POST']]).toEqual(['outcome_unknown', 1])
  })

  /** The body of a payment, as `fetch` receives it. */
  const bodyOfPayment = async () => {
    const { payments, sent } = service(() => json(SETTLED, 201), { auth })
    await payments.transfers.create(TRANSFER)
    return sent[0]?.init.body
  }

  it('has a stream as its body, which converts to a string', async () => {
    const body = await bodyOfPayment()
    expect(body).toBeInstanceOf(ReadableStream)
    expect([JSON.parse(`${body}`), await new Response(body).json()]).toEqual([TRANSFER, TRANSFER])
  })

  it('has a string body in a browser, which sends streams over HTTP/2 only', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' })
    const body = await bodyOfPayment()
    vi.unstubAllGlobals()
    expect(body).toBe(JSON.stringify(TRANSFER))
  })

  it('never receives a repeated response of the previous request', async () => {
    const payments = client.createPayments({ baseUrl: `${server.url}/doubled`, auth })
    const pay = async (description: string) => {
      const result = await payments.transfers.create({ ...TRANSFER, description }).result()
      return result.ok ? result.data.id : result.kind
    }
    const paid = []
    for (const order of ['1', '2', '3']) {
      paid.push(await Promise.all([pay(`${order}a`), pay(`${order}b`)]))
    }
    expect(paid.flat()).toEqual(['1a', '1b', '2a', '2b', '3a', '3b'])
  })

  it.each([401, 404])('never receives a surplus %i of an earlier read', async (status) => {
    const paid: string[] = []
    const surplus = await startRawServer((socket, { method, body }) => {
      if (method === 'GET') return socket.write(problem(status))
      paid.push(body)
      // The server is one response behind: it pays, then repeats the previous response.
      const isKeptAlive = socket.bytesWritten > 0
      return socket.write(isKeptAlive ? problem(status) : message(201, JSON.stringify(SETTLED)))
    })
    const payments = client.createPayments({ baseUrl: surplus.url, auth, retries: 0 })
    await payments.users.get('u').result()
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('ok')
    expect(paid).toHaveLength(1)
    surplus.close()
  })
})

describe('a connection', () => {
  const body = JSON.stringify({ ...KEY, ...SETTLED, users: [] })
  const connectionsOf = async (fetch?: client.Fetch) => {
    const own = await startRawServer((socket, { path }) =>
      socket.write(message(path.includes('/pix/out/') ? 201 : 200, body)),
    )
    const payments = client.createPayments({ baseUrl: own.url, auth, fetch })
    for (let round = 0; round < 3; round++) {
      await payments.users.list()
      await payments.keys.check(KEY.dict_key)
      await payments.transfers.create(TRANSFER)
    }
    own.close()
    return own.connections()
  }

  it('carries one payment, which shares it with nothing, and many look-ups and reads', async () => {
    // The next read may begin before the first connection is free again.
    const forReads = 2
    const forPayments = 3
    const connections = await connectionsOf()
    expect(connections).toBeGreaterThan(forPayments)
    expect(connections).toBeLessThanOrEqual(forPayments + forReads)
  })

  it('carries one payment with a fetch of your own that passes its options on', async () => {
    const fetch = (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers)
      headers.delete('connection')
      return globalThis.fetch(url, { ...init, headers })
    }
    expect(await connectionsOf(fetch)).toBeGreaterThan(3)
  })
})

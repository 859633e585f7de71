import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { REPEATING, startCountingServer } from '../scripts/counting-server.ts'
import { doors, sendOnce } from '../scripts/send-once.mjs'
import * as client from '../src/index.ts'
import { service, TRANSFER } from './service.ts'

const auth = { token: () => 't' }

let server: Awaited<ReturnType<typeof startCountingServer>>
beforeAll(async () => {
  server = await startCountingServer()
})
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
    const inits: RequestInit[] = []
    const fetch = async (_: string, init: RequestInit) => {
      inits.push(init)
      return new Response('{}', { status: 201 })
    }
    await service(() => new Response(), { auth, fetch }).payments.transfers.create(TRANSFER)
    return inits[0]?.body
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
    for (const order of ['1', '2', '3']) paid.push(await Promise.all([pay(`${order}a`), pay(`${order}b`)]))
    expect(paid.flat()).toEqual(['1a', '1b', '2a', '2b', '3a', '3b'])
  })

  it.each([401, 404])(
    'never receives a surplus %i of an earlier read on a kept-alive connection',
    async (status) => {
      const paid: string[] = []
      const surplus = await listening((socket, text) => {
        if (text.startsWith('GET')) return socket.write(problem(status))
        paid.push(text)
        // The server is one response behind: it pays, then repeats the previous response.
        return socket.write(socket.bytesWritten > 0 ? problem(status) : CREATED)
      })
      const payments = client.createPayments({ baseUrl: surplus.url, auth, retries: 0 })
      await payments.users.get('u').result()
      expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('ok')
      expect(paid).toHaveLength(1)
      await surplus.close()
    },
  )
})

const CREATED = message(201, 'application/json', {
  id: 'x',
  status: 'pending',
  data: { amount: TRANSFER.amount },
})

function problem(status: number): string {
  return message(status, 'application/problem+json', { status, code: 'not_found' })
}

function message(status: number, type: string, body: object): string {
  const text = JSON.stringify(body)
  return `HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

/** A server that writes arbitrary data per request and never closes a connection. */
async function listening(respond: (socket: Socket, text: string) => unknown) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.on('data', (data) => respond(socket, data.toString()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Agent, interceptors, MockAgent, ProxyAgent, setGlobalDispatcher } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { CA, misusesIn, startConnectionServer } from '../scripts/connection-server.ts'
import { useConnections } from '../scripts/connections.mjs'
import { message, startRawServer } from '../scripts/raw-server.ts'
import * as client from '../src/index.ts'
import { json, SETTLED, type Sent, service, TRANSFER, USERS } from './service.ts'

const server = await startConnectionServer()
afterAll(() => server.close())
beforeAll(() => {
  setDefaultCACertificates([...getCACertificates(), readFileSync(CA, 'utf8')])
})

const NEWER = Symbol.for('undici.globalDispatcher.2')
const OLDER = Symbol.for('undici.globalDispatcher.1')
const globals = globalThis as unknown as Record<symbol, object>
// Reading it loads Node's own undici.
void globalThis.Response
const nodes = { newer: globals[NEWER] as object, older: globals[OLDER] as object }

function setDispatchers({ newer, older }: { newer?: object; older: object }): void {
  Object.assign(globalThis, { [NEWER]: newer, [OLDER]: older })
}

afterEach(() => {
  setDispatchers(nodes)
  vi.unstubAllGlobals()
})

/** What `fetch` receives for the connection of a read and of a payment. */
async function connectionsOf() {
  const auth = { token: () => 't' }
  const respond = (_: Sent, count: number) => (count === 1 ? json(USERS) : json(SETTLED, 201))
  const { payments, sent } = service(respond, { auth })
  await payments.users.list()
  await payments.transfers.create(TRANSFER)
  const [read, payment] = sent.map(({ init }) => {
    const { dispatcher, keepalive, client } = init as Readonly<Record<string, unknown>>
    const { connection } = init.headers as Readonly<Record<string, string>>
    return { dispatcher, keepalive, client, connection }
  })
  return { read, payment }
}

const POOLED = {}
const CLOSED = { connection: 'close' }

describe('over TLS with HTTP/2 and HTTP/1.1', () => {
  it('sends each payment over a fresh connection, and shares those of reads', async () => {
    const tries = 5
    const kinds = await useConnections(client, server.url, tries)
    expect(kinds).toEqual({
      plain: { ok: tries + 4 },
      ending: { ok: tries },
      stray: { http: tries },
    })
    expect(misusesIn(server.arrivalsOf('plain'))).toEqual([])
  })
})

describe('a response that was written for somebody else', () => {
  it('is not taken for the check of a code, whose amount is then paid', async () => {
    const check = { beneficiary: { name: 'a' }, final_amount: '25.00', allow_value_change: true }
    const other = { ...check, final_amount: '9999.00' }
    const used = new WeakSet<object>()
    const raw = await startRawServer((socket, { method }) => {
      if (method === 'GET') {
        used.add(socket)
        return socket.write(message(200, JSON.stringify(USERS)))
      }
      // As if a proxy had written it after the response before.
      if (used.has(socket)) socket.write(message(200, JSON.stringify(other)))
      return socket.write(message(200, JSON.stringify(check)))
    })
    const payments = client.createPayments({ baseUrl: raw.url, auth: { token: () => 't' } })
    // A request may begin before the connection of the one before is free again.
    for (let round = 0; round < 5; round++) {
      await Promise.all([payments.users.list(), payments.users.list()])
      expect((await payments.codes.check('emv')).final_amount).toBe('25.00')
    }
    raw.close()
  })
})

describe('in Node', () => {
  it('gives a payment an agent of its own, and a read none', async () => {
    const { read, payment } = await connectionsOf()
    expect(read).toEqual(POOLED)
    expect(payment).toEqual({ ...CLOSED, dispatcher: expect.any(Object) })
    expect(payment?.dispatcher).not.toBe(nodes.older)
  })

  it('uses one agent for all payments', async () => {
    const first = await connectionsOf()
    const second = await connectionsOf()
    expect(second.payment?.dispatcher).toBe(first.payment?.dispatcher)
  })

  const set: Readonly<Record<string, () => object>> = {
    'a ProxyAgent': () => new ProxyAgent('http://127.0.0.1:9'),
    'a MockAgent': () => new MockAgent(),
    'an Agent with certificates': () => new Agent({ connect: { ca: 'x' } }),
    'an Agent with a limit': () => new Agent({ connections: 1 }),
    'an Agent with an interceptor': () => new Agent().compose(interceptors.retry()),
    'an object with a dispatch': () => ({ dispatch: () => true }),
  }

  it.each(Object.keys(set))(
    '%s that somebody set stays, and every request closes',
    async (name) => {
      const older = set[name]?.() ?? {}
      setDispatchers({ older })
      expect(await connectionsOf()).toEqual({ read: CLOSED, payment: CLOSED })

      setDispatchers({ newer: older, older })
      expect(await connectionsOf()).toEqual({ read: CLOSED, payment: CLOSED })

      // As undici 6 sets it beside a newer one.
      setDispatchers({ newer: nodes.newer, older })
      expect(await connectionsOf()).toEqual({ read: CLOSED, payment: CLOSED })
    },
  )

  it('without any dispatcher, every request closes', async () => {
    Object.assign(globalThis, { [NEWER]: undefined, [OLDER]: undefined })
    expect(await connectionsOf()).toEqual({ read: CLOSED, payment: CLOSED })
  })

  it('pays by the fetch of either version where a package of undici 8 is the global dispatcher', async () => {
    setGlobalDispatcher(new Agent())
    const { url } = server
    const payments = client.createPayments({ baseUrl: `${url}/plain`, auth: { token: () => 't' } })
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('ok')
  })
})

describe('in other runtimes', () => {
  it('a payment keeps its connection out of the pool of Bun', async () => {
    vi.stubGlobal('Bun', {})
    const payment = { ...CLOSED, keepalive: false }
    expect(await connectionsOf()).toEqual({ read: POOLED, payment })
  })

  it('a payment has a client of its own in Deno', async () => {
    const httpClient = {}
    const createHttpClient = vi.fn(() => httpClient)
    vi.stubGlobal('Deno', { createHttpClient })
    const payment = { ...CLOSED, client: httpClient }
    expect(await connectionsOf()).toEqual({ read: POOLED, payment })
    expect(createHttpClient).toHaveBeenCalledExactlyOnceWith({
      http2: false,
      poolMaxIdlePerHost: 0,
    })
  })

  it('every request closes in a service that runs Deno and forbids clients', async () => {
    vi.resetModules()
    vi.stubGlobal('Deno', {
      createHttpClient() {
        throw new Error('not allowed')
      },
    })
    const { chooseConnection } = await import('../src/connection.ts')
    const request = { effect: 'once' } as Parameters<typeof chooseConnection>[0]
    expect(chooseConnection(request)).toEqual({ headers: CLOSED })
  })

  it('a browser decides itself', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' })
    expect(await connectionsOf()).toEqual({ read: POOLED, payment: POOLED })
  })
})

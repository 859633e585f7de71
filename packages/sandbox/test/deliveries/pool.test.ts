import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encode } from '@partner-payments/brcode'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Lookup } from '../../src/deliveries/lookup.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import { openBackends } from '../state/backends.ts'
import { call, partnerToken, times } from '../state/payers.ts'

// Nothing here is timed: a silent receiver stays silent until another received its deliveries. If one blocked the
// other, the test would never end.

const SHOP = { merchantName: 'Padaria Exemplo', merchantCity: 'BRASILIA' }
const STATIC = encode({ ...SHOP, key: 'vendas@padaria.example' })

const backends = openBackends()
afterAll(() => backends.remove())

/** A receiver that does not respond until the test says so. */
interface Shop {
  readonly url: string
  /** The deliveries it received, by webhook-id and path. */
  readonly deliveries: string[]
  /** The maximum of concurrent requests. */
  most(): number
  /** Responds to all waiting and later requests. */
  respond(status?: number): void
  readonly server: Server
}

const shops: Shop[] = []
const sandboxes: Sandbox[] = []
let shop: Shop
beforeEach(async () => {
  shop = await open()
  shop.respond()
})
afterEach(async () => {
  await Promise.all(sandboxes.splice(0).map(({ close }) => close(0)))
  for (const { server } of shops.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

describe.each(['sqlite, in memory', 'postgres'] as const)(
  'a receiver gets its deliveries, on %s,',
  (kind) => {
    const start = async (options: SandboxOptions = {}) =>
      begin({ ...(await backends.emptyState(kind)), ...options })

    test('while many others do not respond', async () => {
      const sandbox = await start()
      const silent = await Promise.all(times(20).map(open))
      await register(sandbox, ...silent.map(({ url }) => url), shop.url)
      await emit(sandbox)
      await received(shop, 1)
      for (const { respond } of silent) respond()
      await sandbox.worker.idle()
      expect(silent.map(({ deliveries }) => deliveries.length)).toEqual(times(20).map(() => 1))
    })

    test('while the names of many others do not resolve', async () => {
      const dns = slowLookup()
      const sandbox = await start({ poster: { lookup: dns.lookup } })
      await register(sandbox, ...times(40).map((i) => `https://loja-${i}.teste/pix`), shop.url)
      dns.stop()
      await emit(sandbox)
      await received(shop, 1)
      dns.fail()
      await sandbox.worker.idle()
      expect(await attempts(sandbox)).toEqual({ '': 1, dns: 40 })
    })

    test('while another is silent on forty webhooks, four at a time', async () => {
      const sandbox = await start()
      const silent = await open()
      await register(sandbox, ...times(40).map((i) => `${silent.url}/${i}`), shop.url)
      await emit(sandbox)
      await received(shop, 1)
      await received(silent, 4)
      expect(await claimed(sandbox, silent)).toBe(4)
      silent.respond()
      await sandbox.worker.idle()
      expect(new Set(silent.deliveries).size).toBe(40)
      expect([silent.deliveries.length, silent.most()]).toEqual([40, 4])
    })

    test('of every event, while another is silent on the first', async () => {
      const sandbox = await start()
      const silent = await open()
      await register(sandbox, silent.url, shop.url)
      for (const i of times(16)) {
        await emit(sandbox)
        await received(shop, i + 1)
      }
      expect(silent.deliveries).toHaveLength(4)
      silent.respond()
      await sandbox.worker.idle()
      expect([new Set(silent.deliveries).size, silent.deliveries.length, silent.most()]).toEqual([16, 16, 4])
    })

    test('when its host has capacity, and they are not claimed before', async () => {
      const sandbox = await start({ poster: { total: 3 } })
      const silent = await Promise.all(times(3).map(open))
      await register(sandbox, ...silent.map(({ url }) => url), shop.url)
      await emit(sandbox)
      for (const one of silent) await received(one, 1)
      expect(await claimed(sandbox, ...silent, shop)).toBe(3)
      expect(shop.deliveries).toEqual([])
      silent[1]?.respond()
      await received(shop, 1)
      for (const { respond } of silent) respond()
    })

    test('once, though the claim expires while it is slow', async () => {
      const sandbox = await start()
      const silent = await open()
      await register(sandbox, silent.url, shop.url)
      await emit(sandbox)
      await received(silent, 1)
      await sandbox.store.write((queries) => queries.run('UPDATE deliveries SET claimed_until = 0'))
      await emit(sandbox)
      await received(shop, 2)
      silent.respond()
      await sandbox.worker.idle()
      expect(new Set(silent.deliveries).size).toBe(2)
      expect(silent.deliveries).toHaveLength(2)
    })
  },
)

test('the worker is idle only after the receiver responded and the response is recorded', async () => {
  const sandbox = await begin()
  const silent = await open()
  await register(sandbox, silent.url)
  await emit(sandbox)
  await received(silent, 1)
  let isIdle = false
  const idle = sandbox.worker.idle().then(() => {
    isIdle = true
  })
  await received(shop, 0)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(isIdle).toBe(false)
  silent.respond(500)
  await idle
  expect(await attempts(sandbox)).toEqual({ status: 1 })
})

test('a sandbox that closes abandons deliveries in progress without waiting', async () => {
  const file = backends.newFile()
  const sandbox = await begin({ file })
  const silent = await Promise.all(times(20).map(open))
  await register(sandbox, ...silent.map(({ url }) => `${url}/end`))
  await emit(sandbox)
  for (const one of silent) await received(one, 1)
  await sandbox.close(0)
  sandboxes.pop()
  const next = await begin({ file })
  for (const { respond } of silent) respond()
  await next.worker.idle()
  expect(silent.map(({ deliveries }) => deliveries.length)).toEqual(times(20).map(() => 2))
  expect(await attempts(next)).toEqual({ '': 20 })
})

test('two instances on one database make each attempt once, while others are silent', async () => {
  const where = await backends.emptyState('postgres')
  const two = [await begin(where), await begin(where)] as const
  const right = await Promise.all(times(3).map(open))
  for (const { respond } of right) respond()
  const silent = await open()
  const urls = times(30).map((i) => `${right[i % 3]?.url}/${i}`)
  await register(two[0], ...times(10).map((i) => `${silent.url}/silent/${i}`), ...urls)
  await Promise.all(times(4).map((i) => emit(two[i % 2] as Sandbox)))
  for (const one of right) await received(one, 10 * 4)
  silent.respond()
  await received(silent, 10 * 4)
  await Promise.all(two.map(({ worker }) => worker.idle()))
  const deliveries = [...right, silent].flatMap((one) => one.deliveries)
  expect([deliveries.length, new Set(deliveries).size]).toEqual([160, 160])
  expect(await attempts(two[0])).toEqual({ '': 160 })
})

/** Starts a sandbox that waits longer for a receiver than any test takes. */
async function begin({ poster, ...options }: SandboxOptions = {}): Promise<Sandbox> {
  const patient = { timeoutMs: 600_000, ...poster }
  const sandbox = await createSandbox({ allowLoopback: true, settleAfterMs: 0, poster: patient, ...options })
  sandboxes.push(sandbox)
  return sandbox
}

async function open(): Promise<Shop> {
  const deliveries: string[] = []
  const { promise: status, resolve: respond } = Promise.withResolvers<number>()
  let open = 0
  let most = 0
  const server = createServer(async (request, response) => {
    deliveries.push(`${request.headers['webhook-id']} ${request.url}`)
    most = Math.max(most, ++open)
    const code = await status
    open--
    response.writeHead(code).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const made: Shop = { url, deliveries, most: () => most, respond: (code = 200) => respond(code), server }
  shops.push(made)
  return made
}

/** Resolves once a receiver has this many deliveries. */
async function received({ deliveries }: Shop, count: number): Promise<void> {
  while (deliveries.length < count) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** A lookup that succeeds at first, for the registration, then hangs, then fails. */
function slowLookup() {
  let isSlow = false
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const lookup: Lookup = async () => (isSlow ? promise : [{ address: '8.8.8.8' }])
  return { lookup, stop: () => (isSlow = true), fail: () => reject(new Error('ENOTFOUND')) }
}

/** Registers webhooks. Their order is that of their deliveries. */
async function register(sandbox: Sandbox, ...urls: readonly string[]): Promise<void> {
  const token = await partnerToken(sandbox)
  for (const url of urls) {
    const made = await call(sandbox.service, token, ['POST', '/partner/webhook', { type: 'transfer', url }])
    expect(made.status).toBe(201)
  }
}

/** Makes a payment, whose settlement emits an event. */
async function emit(sandbox: Sandbox): Promise<void> {
  const order = { type: 'emv', emv: STATIC, amount: '1.00' }
  const { status } = await call(sandbox.service, await partnerToken(sandbox), ['POST', '/pix/out/', order])
  expect(status).toBe(201)
}

/** How many deliveries to these receivers are claimed. */
async function claimed({ store, clock }: Sandbox, ...receivers: readonly Shop[]): Promise<number> {
  const sql = `SELECT w.url FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE d.claimed_until > ?`
  const rows = await store.read((queries) => queries.all<{ url: string }>(sql, [clock.now()]))
  return rows.filter(({ url }) => receivers.some((one) => url.startsWith(one.url))).length
}

/** The number of attempts by failure; '' is a success. */
async function attempts({ store }: Sandbox): Promise<Record<string, number>> {
  const sql = 'SELECT reason, count(*) AS count FROM attempts GROUP BY reason ORDER BY reason'
  const rows = await store.read((queries) => queries.all<{ reason: string; count: bigint }>(sql))
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, Number(count)]))
}

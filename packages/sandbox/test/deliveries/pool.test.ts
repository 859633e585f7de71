import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encode } from '@partner-payments/brcode'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Lookup } from '../../src/deliveries/lookup.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import { openBackends } from '../state/backends.ts'
import { call, partnerToken, times } from '../state/world.ts'

// Nothing here is timed: who is silent stays so until another was told. Where one holds up the other, no test ends.

const SHOP = { merchantName: 'Padaria Exemplo', merchantCity: 'BRASILIA' }
const STATIC = encode({ ...SHOP, key: 'vendas@padaria.example' })

const backends = openBackends()
afterAll(() => backends.remove())

/** A receiver that is silent until it is told to answer. */
interface Shop {
  readonly url: string
  /** What it was told of, by webhook-id and path. */
  readonly got: string[]
  /** Requests at a time, at most. */
  most(): number
  /** Answers what waits, and all that comes later. */
  answer(status?: number): void
  readonly server: Server
}

const shops: Shop[] = []
const sandboxes: Sandbox[] = []
let shop: Shop
beforeEach(async () => {
  shop = await open()
  shop.answer()
})
afterEach(async () => {
  await Promise.all(sandboxes.splice(0).map(({ close }) => close(0)))
  for (const { server } of shops.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

describe.each(['sqlite, in memory', 'postgres'] as const)('a receiver is told, on %s,', (kind) => {
  const start = async (options: SandboxOptions = {}) =>
    begin({ ...(await backends.emptyState(kind)), ...options })

  test('while many others do not answer', async () => {
    const sandbox = await start()
    const silent = await Promise.all(times(20).map(open))
    await register(sandbox, ...silent.map(({ url }) => url), shop.url)
    await emit(sandbox)
    await told(shop, 1)
    for (const { answer } of silent) answer()
    await sandbox.worker.idle()
    expect(silent.map(({ got }) => got.length)).toEqual(times(20).map(() => 1))
  })

  test('while the names of many others do not resolve', async () => {
    const dns = slowLookup()
    const sandbox = await start({ poster: { lookup: dns.lookup } })
    await register(sandbox, ...times(40).map((i) => `https://loja-${i}.teste/pix`), shop.url)
    dns.stop()
    await emit(sandbox)
    await told(shop, 1)
    dns.fail()
    await sandbox.worker.idle()
    expect(await attempts(sandbox)).toEqual({ '': 1, dns: 40 })
  })

  test('while one other is silent on each of forty webhooks, four at a time', async () => {
    const sandbox = await start()
    const silent = await open()
    await register(sandbox, ...times(40).map((i) => `${silent.url}/${i}`), shop.url)
    await emit(sandbox)
    await told(shop, 1)
    await told(silent, 4)
    expect(await claimed(sandbox, silent)).toBe(4)
    silent.answer()
    await sandbox.worker.idle()
    expect(new Set(silent.got).size).toBe(40)
    expect([silent.got.length, silent.most()]).toEqual([40, 4])
  })

  test('of every event, while one other is silent on the first', async () => {
    const sandbox = await start()
    const silent = await open()
    await register(sandbox, silent.url, shop.url)
    for (const i of times(16)) {
      await emit(sandbox)
      await told(shop, i + 1)
    }
    expect(silent.got).toHaveLength(4)
    silent.answer()
    await sandbox.worker.idle()
    expect([new Set(silent.got).size, silent.got.length, silent.most()]).toEqual([16, 16, 4])
  })

  test('when there is a place for it, and is not claimed before', async () => {
    const sandbox = await start({ poster: { total: 3 } })
    const silent = await Promise.all(times(3).map(open))
    await register(sandbox, ...silent.map(({ url }) => url), shop.url)
    await emit(sandbox)
    for (const one of silent) await told(one, 1)
    expect(await claimed(sandbox, ...silent, shop)).toBe(3)
    expect(shop.got).toEqual([])
    silent[1]?.answer()
    await told(shop, 1)
    for (const { answer } of silent) answer()
  })

  test('once, though its claim has lapsed while it takes its time', async () => {
    const sandbox = await start()
    const silent = await open()
    await register(sandbox, silent.url, shop.url)
    await emit(sandbox)
    await told(silent, 1)
    await sandbox.store.write((queries) => queries.run('UPDATE deliveries SET claimed_until = 0'))
    await emit(sandbox)
    await told(shop, 2)
    silent.answer()
    await sandbox.worker.idle()
    expect(new Set(silent.got).size).toBe(2)
    expect(silent.got).toHaveLength(2)
  })
})

test('what a receiver is told of is not idle before it has answered, and the answer is on record then', async () => {
  const sandbox = await begin()
  const silent = await open()
  await register(sandbox, silent.url)
  await emit(sandbox)
  await told(silent, 1)
  let isIdle = false
  const idle = sandbox.worker.idle().then(() => {
    isIdle = true
  })
  await told(shop, 0)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(isIdle).toBe(false)
  silent.answer(500)
  await idle
  expect(await attempts(sandbox)).toEqual({ status: 1 })
})

test('what is under way at the end of a sandbox is left as it was, and nobody waits for it', async () => {
  const file = backends.newFile()
  const sandbox = await begin({ file })
  const silent = await Promise.all(times(20).map(open))
  await register(sandbox, ...silent.map(({ url }) => `${url}/end`))
  await emit(sandbox)
  for (const one of silent) await told(one, 1)
  await sandbox.close(0)
  sandboxes.pop()
  const next = await begin({ file })
  for (const { answer } of silent) answer()
  await next.worker.idle()
  expect(silent.map(({ got }) => got.length)).toEqual(times(20).map(() => 2))
  expect(await attempts(next)).toEqual({ '': 20 })
})

test('two instances on one database make each attempt once, while others are silent', async () => {
  const where = await backends.emptyState('postgres')
  const two = [await begin(where), await begin(where)] as const
  const right = await Promise.all(times(3).map(open))
  for (const { answer } of right) answer()
  const silent = await open()
  const urls = times(30).map((i) => `${right[i % 3]?.url}/${i}`)
  await register(two[0], ...times(10).map((i) => `${silent.url}/silent/${i}`), ...urls)
  await Promise.all(times(4).map((i) => emit(two[i % 2] as Sandbox)))
  for (const one of right) await told(one, 10 * 4)
  silent.answer()
  await told(silent, 10 * 4)
  await Promise.all(two.map(({ worker }) => worker.idle()))
  const got = [...right, silent].flatMap((one) => one.got)
  expect([got.length, new Set(got).size]).toEqual([160, 160])
  expect(await attempts(two[0])).toEqual({ '': 160 })
})

/** Starts a sandbox that waits for a receiver longer than any test. */
async function begin({ poster, ...options }: SandboxOptions = {}): Promise<Sandbox> {
  const patient = { timeoutMs: 600_000, ...poster }
  const sandbox = await createSandbox({ allowLoopback: true, settleAfterMs: 0, poster: patient, ...options })
  sandboxes.push(sandbox)
  return sandbox
}

async function open(): Promise<Shop> {
  const got: string[] = []
  const { promise: answered, resolve: answer } = Promise.withResolvers<number>()
  let open = 0
  let most = 0
  const server = createServer(async (request, response) => {
    got.push(`${request.headers['webhook-id']} ${request.url}`)
    most = Math.max(most, ++open)
    const status = await answered
    open--
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const made: Shop = { url, got, most: () => most, answer: (status = 200) => answer(status), server }
  shops.push(made)
  return made
}

/** Resolves once a receiver was told of so many deliveries. */
async function told({ got }: Shop, count: number): Promise<void> {
  while (got.length < count) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** A lookup that answers at first, as registration asks it, then not, then with a failure. */
function slowLookup() {
  let isSlow = false
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const lookup: Lookup = async () => (isSlow ? promise : [{ address: '8.8.8.8' }])
  return { lookup, stop: () => (isSlow = true), fail: () => reject(new Error('ENOTFOUND')) }
}

/** Registers webhooks in this order, which is that of their deliveries. */
async function register(sandbox: Sandbox, ...urls: readonly string[]): Promise<void> {
  const token = await partnerToken(sandbox)
  for (const url of urls) {
    const made = await call(sandbox.service, token, ['POST', '/partner/webhook', { type: 'transfer', url }])
    expect(made.status).toBe(201)
  }
}

/** Pays, whose settlement is an event. */
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

/** How many attempts there were, by their failure; '' is none. */
async function attempts({ store }: Sandbox): Promise<Record<string, number>> {
  const sql = 'SELECT reason, count(*) AS count FROM attempts GROUP BY reason ORDER BY reason'
  const rows = await store.read((queries) => queries.all<{ reason: string; count: bigint }>(sql))
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, Number(count)]))
}

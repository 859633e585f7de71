import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Lookup } from '../../src/deliveries/dial.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import { openBackends } from '../backends.ts'
import { pay, register, times } from '../callers.ts'
import { type Receiver, receiver } from '../receiver.ts'

// Nothing here is timed: a silent receiver stays silent until another received its deliveries. If one blocked the
// other, the test would never end.

const backends = openBackends()
afterAll(() => backends.remove())

type Shop = Receiver & { readonly respond: () => void }
const shops: Shop[] = []
const sandboxes: Sandbox[] = []
let shop: Shop
beforeEach(async () => {
  shop = await open()
  shop.respond()
})
afterEach(async () => {
  await Promise.all(sandboxes.splice(0).map(({ close }) => close(0)))
  await Promise.all(shops.splice(0).map(({ close }) => close()))
})

describe.each(['sqlite, in memory', 'postgres'] as const)(
  'a receiver gets its deliveries, on %s,',
  (kind) => {
    const start = async (options: SandboxOptions = {}) =>
      begin({ ...(await backends.emptyState(kind)), ...options })

    test('while the names of many others do not resolve', async () => {
      const dns = slowLookup()
      const sandbox = await start({ poster: { lookup: dns.lookup } })
      await register(sandbox, ...times(40).map((i) => `https://loja-${i}.teste/pix`), shop.url)
      dns.stop()
      await pay(sandbox)
      await shop.came(1)
      dns.fail()
      await sandbox.worker.idle()
      expect(await attempts(sandbox)).toEqual({ '': 1, dns: 40 })
    })

    test('while another is silent on forty webhooks, four at a time', async () => {
      const sandbox = await start()
      const silent = await open()
      await register(sandbox, ...times(40).map((i) => `${silent.url}/${i}`), shop.url)
      await pay(sandbox)
      await shop.came(1)
      await silent.came(4)
      expect(await claimed(sandbox, silent)).toBe(4)
      silent.respond()
      await sandbox.worker.idle()
      expect(new Set(silent.got.map(({ id, path }) => id + path)).size).toBe(40)
      expect([silent.got.length, silent.most]).toEqual([40, 4])
    })

    test('when its host has capacity, and they are not claimed before', async () => {
      const sandbox = await start({ poster: { total: 3 } })
      const silent = await Promise.all(times(3).map(open))
      await register(sandbox, ...silent.map(({ url }) => url), shop.url)
      await pay(sandbox)
      for (const one of silent) await one.came(1)
      expect(await claimed(sandbox, ...silent, shop)).toBe(3)
      expect(shop.got).toEqual([])
      silent[1]?.respond()
      await shop.came(1)
      for (const { respond } of silent) respond()
    })

    test('once, though the claim expires while it is slow', async () => {
      const sandbox = await start()
      const silent = await open()
      await register(sandbox, silent.url, shop.url)
      await pay(sandbox)
      await silent.came(1)
      await sandbox.store.write((queries) => queries.run('UPDATE deliveries SET claimed_until = 0'))
      await pay(sandbox)
      await shop.came(2)
      silent.respond()
      await sandbox.worker.idle()
      expect(new Set(silent.got.map(({ id, path }) => id + path)).size).toBe(2)
      expect(silent.got).toHaveLength(2)
    })
  },
)

/** Starts a sandbox that waits longer for a receiver than any test takes. */
async function begin({ poster, ...options }: SandboxOptions = {}): Promise<Sandbox> {
  const patient = { timeoutMs: 600_000, ...poster }
  const sandbox = await createSandbox({ allowLoopback: true, settleAfterMs: 0, poster: patient, ...options })
  sandboxes.push(sandbox)
  return sandbox
}

/** A receiver that does not respond until the test says so. */
async function open(): Promise<Shop> {
  const made = await receiver()
  const shop = Object.assign(made, { respond: made.hold() })
  shops.push(shop)
  return shop
}

/** A lookup that succeeds at first, for the registration, then hangs, then fails. */
function slowLookup() {
  let isSlow = false
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const lookup: Lookup = async () => (isSlow ? promise : [{ address: '8.8.8.8' }])
  return { lookup, stop: () => (isSlow = true), fail: () => reject(new Error('ENOTFOUND')) }
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

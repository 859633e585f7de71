import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimDue } from '../src/deliveries/claim.ts'
import { createFlights } from '../src/deliveries/flights.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts'
import { settleDue } from '../src/transfers/settle.ts'
import { openBackends } from './backends.ts'
import { pay, register, times } from './callers.ts'
import { type Receiver, receiver } from './receiver.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

const backends = openBackends()
afterAll(() => backends.remove())

const sandboxes: Sandbox[] = []
let shop: Receiver
beforeEach(async () => {
  shop = await receiver()
})
afterEach(async () => {
  await Promise.all(sandboxes.splice(0).map(({ close }) => close(0)))
  await shop.close()
})

describe.each([600, -600])('two instances on one database, the second %i s ahead', (seconds) => {
  test('make each delivery once, although the receiver is slow', async () => {
    const { databaseUrl } = await backends.emptyState('postgres')
    const one = await open({ databaseUrl })
    const two = await open({ databaseUrl, now: () => Date.now() + seconds * SECOND })
    const respond = shop.hold()
    await register(one, shop.url)
    for (const _ of times(4)) await pay(one)
    await expect.poll(() => shop.ids.length).toBe(4)
    for (const { context } of [one, two]) {
      const { claimed } = await claimDue(context, createFlights({ perKey: 64, total: 64 }))
      expect(claimed).toEqual([])
    }
    respond()
    await Promise.all([one.worker.idle(), two.worker.idle()])
    expect([shop.ids.length, new Set(shop.ids).size]).toEqual([4, 4])
    expect(await attemptsOf(one)).toEqual([1, 1, 1, 1])
  })
})

describe.each(['sqlite, in a file', 'postgres'] as const)(
  'on %s, an hour that the clock goes back',
  (kind) => {
    let now: number
    const start = async () =>
      open({ ...(await backends.emptyState(kind)), now: () => now, settleAfterMs: 100 })
    beforeEach(() => {
      now = Date.parse('2026-11-23T12:00:00Z')
    })

    test('does not delay a settlement', async () => {
      const sandbox = await start()
      await pay(sandbox)
      now -= HOUR
      await sandbox.worker.idle()
      expect(await settledCount(sandbox)).toBe(0)
      now += 100
      await sandbox.worker.idle()
      expect(await settledCount(sandbox)).toBe(1)
    })

    test('does not delay the next attempt of a delivery', async () => {
      const sandbox = await start()
      shop.respondWith(500)
      await register(sandbox, shop.url)
      await pay(sandbox)
      now += 100
      await sandbox.worker.idle()
      now -= HOUR
      await sandbox.worker.idle()
      expect(shop.ids).toHaveLength(1)
      now += 5 * SECOND
      await sandbox.worker.idle()
      expect(shop.ids).toHaveLength(2)
    })

    test('does not delay work that an earlier process left', async () => {
      const state = await backends.emptyState(kind)
      const earlier = await createSandbox({ ...state, now: () => now, settleAfterMs: 100 })
      await pay(earlier)
      await earlier.close()
      now -= HOUR
      const sandbox = await open({ ...state, now: () => now, settleAfterMs: 100 })
      await sandbox.worker.idle()
      expect(await settledCount(sandbox)).toBe(0)
      now += 100
      await sandbox.worker.idle()
      expect(await settledCount(sandbox)).toBe(1)
    })

    test('releases a claim after a minute, or if it is longer than possible', async () => {
      const sandbox = await start()
      await sandbox.worker.close()
      await register(sandbox, shop.url)
      await pay(sandbox)
      now += 100
      await settleDue(sandbox.context)
      expect(await takeover(sandbox, 59)).toBe(0)
      expect(await takeover(sandbox, 61)).toBe(1)
      expect(await takeover(sandbox, -1)).toBe(1)
    })
  },
)

/** How many deliveries can be claimed if each is claimed for this many seconds from now. */
async function takeover({ store, context }: Sandbox, seconds: number): Promise<number> {
  await store.write((queries) =>
    queries.run('UPDATE deliveries SET claimed_until = ?', [Date.now() + seconds * SECOND]),
  )
  const { claimed } = await claimDue(context, createFlights({ perKey: 64, total: 64 }))
  return claimed.length
}

async function open(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({
    allowLoopback: true,
    limitsRates: false,
    settleAfterMs: 0,
    ...options,
  })
  sandboxes.push(sandbox)
  return sandbox
}

async function attemptsOf({ store }: Sandbox): Promise<number[]> {
  const sql = 'SELECT attempts FROM deliveries ORDER BY position'
  const rows = await store.read((queries) => queries.all<{ attempts: bigint }>(sql))
  return rows.map(({ attempts }) => Number(attempts))
}

async function settledCount({ store }: Sandbox): Promise<number> {
  const sql = `SELECT count(*) AS count FROM transfers WHERE status = 'settled'`
  const row = await store.read((queries) => queries.get<{ count: bigint }>(sql))
  return Number(row?.count)
}

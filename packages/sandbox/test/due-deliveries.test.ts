import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimDue } from '../src/deliveries/claim.ts'
import { createFlights } from '../src/deliveries/flights.ts'
import { createSandbox, type Sandbox } from '../src/index.ts'
import { reconcile } from '../src/ledger/reconcile.ts'
import { settleDue } from '../src/transfers/settle.ts'
import { sharedPostgres } from './backends.ts'
import { askerOf, pay, payment, register, tally, times, tokenOf } from './callers.ts'
import { type Receiver, receiver } from './receiver.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

let shop: Receiver
beforeEach(async () => {
  shop = await receiver()
})
afterEach(() => shop.close())

describe('a delivery that fails', () => {
  let sandbox: Sandbox
  beforeEach(async () => {
    sandbox = await createSandbox({ allowLoopback: true })
    sandbox.clock.freeze()
    await register(sandbox, shop.url)
  })
  afterEach(() => sandbox.close())

  test('is tried ten times by the schedule, and is then dead', async () => {
    shop.respondWith(500)
    const began = sandbox.clock.now() + 100
    await pay(sandbox)
    await sandbox.worker.moveTo(began + 100 * HOUR)
    const waits = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE]
    waits.push(...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR))
    const sumTo = (i: number) => waits.slice(0, i + 1).reduce((sum, wait) => sum + wait)
    const expected = waits.map((_, i) => ({ number: BigInt(i + 1), at: BigInt(began + sumTo(i)) }))
    const sql = 'SELECT number, at FROM attempts ORDER BY position'
    expect(await sandbox.store.read((queries) => queries.all(sql))).toEqual(expected)
    expect(new Set(shop.ids).size).toBe(1)
    expect(shop.ids).toHaveLength(10)
    expect(await statuses(sandbox)).toEqual(['dead'])
  })

  test('delays no settlement while its receiver is slow', async () => {
    const respond = shop.hold()
    sandbox.clock.resume()
    await pay(sandbox)
    await shop.came(1)
    await pay(sandbox)
    const sql = `SELECT count(*) AS count FROM transfers WHERE status = 'settled'`
    const settled = async () =>
      (await sandbox.store.read((queries) => queries.get<{ count: bigint }>(sql)))?.count
    while ((await settled()) !== 2n) await new Promise((done) => setTimeout(done, 5))
    respond()
  })

  test('is left for the next start when the sandbox closes, without counting an attempt', async () => {
    shop.hold()
    const file = join(mkdtempSync(join(tmpdir(), 'sandbox-due-')), 'state.db')
    const closing = await createSandbox({ file, allowLoopback: true, settleAfterMs: 0 })
    await register(closing, shop.url)
    await pay(closing)
    await shop.came(1)
    await closing.close(0)
    const next = await createSandbox({ file, allowLoopback: true })
    shop.respondWith(200)
    await next.worker.idle()
    expect(shop.ids).toHaveLength(2)
    const sql = 'SELECT number, ok FROM attempts'
    expect(await next.store.read((queries) => queries.all(sql))).toEqual([{ number: 1n, ok: 1n }])
    await next.close()
    rmSync(dirname(file), { recursive: true })
  })

  test('is claimed only if it can start at once, so that no claim expires before its attempt', async () => {
    for (const _ of times(40)) await pay(sandbox)
    await settleAlone(sandbox)
    const { claimed } = await claimDue(sandbox.context, createFlights({ perKey: 4, total: 64 }))
    expect(claimed).toHaveLength(4)
  })
})

describe('two instances on one database', () => {
  const postgres = sharedPostgres()

  const open = async (databaseUrl: string) =>
    createSandbox({ databaseUrl, allowLoopback: true, limitsRates: false, settleAfterMs: 5 })

  test('settle each transfer once, and make each delivery once', async () => {
    const databaseUrl = await postgres.newDatabase()
    const sandboxes = [await open(databaseUrl), await open(databaseUrl)] as const
    await register(sandboxes[0], shop.url)
    const token = await tokenOf(sandboxes[0])
    const paying = times(50).map((i) => askerOf((sandboxes[i % 2] as Sandbox).service, token)(...payment()))
    expect(tally(await Promise.all(paying))).toEqual({ 201: 50 })
    while (shop.ids.length < 50) await Promise.all(sandboxes.map(({ worker }) => worker.idle()))
    await Promise.all(sandboxes.map(({ worker }) => worker.idle()))
    expect(shop.ids).toHaveLength(50)
    expect(new Set(shop.ids).size).toBe(50)
    expect(await sandboxes[0].store.read(reconcile)).toEqual([])
    const sql = `SELECT status, attempts, count(*) AS count FROM deliveries GROUP BY status, attempts`
    const deliveries = await sandboxes[0].store.read((queries) => queries.all(sql))
    expect(deliveries).toEqual([{ status: 'delivered', attempts: 1n, count: 50n }])
    await Promise.all(sandboxes.map(({ close }) => close()))
  })

  test('take over the claims of a stopped one, a minute later by the time of the database', async () => {
    const databaseUrl = await postgres.newDatabase()
    const gone = await open(databaseUrl)
    gone.clock.freeze()
    await register(gone, shop.url)
    await pay(gone)
    await settleAlone(gone)
    const { claimed } = await claimDue(gone.context, createFlights({ perKey: 4, total: 64 }))
    expect(claimed).toHaveLength(1)
    const other = await open(databaseUrl)
    other.clock.freeze()
    await other.worker.moveTo(gone.clock.now() + 2 * MINUTE)
    expect(shop.ids).toEqual([])
    const lapse = 'UPDATE deliveries SET claimed_until = claimed_until - ?'
    await other.store.write((queries) => queries.run(lapse, [MINUTE]))
    await other.worker.idle()
    expect(shop.ids).toEqual(claimed.map(({ event_id }) => event_id))
    expect(await statuses(other)).toEqual(['delivered'])
    await Promise.all([gone.close(), other.close()])
  })
})

/** Closes the worker, like a process that stopped, and settles the due transfers a second later. */
async function settleAlone({ worker, clock, context }: Sandbox): Promise<void> {
  await worker.close()
  clock.moveTo(clock.now() + SECOND)
  while ((await settleDue(context)) > 0);
}

async function statuses({ store }: Sandbox): Promise<string[]> {
  const sql = 'SELECT status FROM deliveries'
  return (await store.read((queries) => queries.all<{ status: string }>(sql))).map(({ status }) => status)
}

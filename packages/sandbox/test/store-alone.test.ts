import { expect, onTestFinished, test } from 'vitest'
import { claimDue, nextDelivery } from '../src/deliveries/claim.ts'
import { createFlights } from '../src/deliveries/flights.ts'
import { haltDeliveries } from '../src/deliveries/halt.ts'
import { createSandbox } from '../src/index.ts'
import { openStore } from '../src/store/open.ts'
import type { Queries } from '../src/store/store.ts'
import { sharedPostgres } from './state/backends.ts'

const postgres = sharedPostgres()

test('an exclusive write runs after those in progress and before all later ones, on every instance', async () => {
  const databaseUrl = await postgres.newDatabase()
  const [one, two] = [await openStore({ databaseUrl }), await openStore({ databaseUrl })]
  onTestFinished(() => Promise.all([one.close(), two.close()]).then(() => undefined))
  const order: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const step = (name: string) => async (queries: Queries) => {
    await queries.get('SELECT 1 AS one')
    order.push(name)
  }
  const early = one.write(async (queries) => {
    await queries.get('SELECT 1 AS one')
    begun.resolve()
    await promise
    order.push('early')
  })
  await begun.promise
  const alone = two.alone(step('alone'))
  await waitingFor(one.read, 1)
  const late = [one, two].map((store) => store.write(step('late')))
  await waitingFor(one.read, 3)
  resolve()
  await Promise.all([early, alone, ...late])
  expect(order).toEqual(['early', 'alone', 'late', 'late'])
})

test('nothing is claimed while deliveries are halted', async () => {
  const sandbox = await createSandbox({ databaseUrl: await postgres.newDatabase() })
  onTestFinished(() => sandbox.close())
  await sandbox.worker.close()
  const flights = createFlights({ perKey: 4, total: 64 })
  const claim = () => claimDue(sandbox.context, flights)
  await sandbox.store.write(async (queries) => {
    for (const sql of DELIVERY) await queries.run(sql)
  })
  await haltDeliveries(sandbox.store)
  expect((await claim()).claimed).toEqual([])
  expect(await nextDelivery(sandbox.store, flights)).toBeUndefined()
  await sandbox.store.write((queries) =>
    queries.run(`UPDATE settings SET value = '0' WHERE name = 'halted_until'`),
  )
  expect(await nextDelivery(sandbox.store, flights)).toBe(0)
  expect((await claim()).claimed).toHaveLength(1)
})

const PARTNER = '(SELECT min(id) FROM partners)'
const DELIVERY = [
  `INSERT INTO webhooks (id, partner_id, url, type, status, secret, created_at, updated_at)
   VALUES ('w', ${PARTNER}, 'https://loja.example/pix', 'all', 'active', 'whsec_', 0, 0)`,
  `INSERT INTO events (id, partner_id, type, record_id, body, created_at)
   VALUES ('e', ${PARTNER}, 'transfer.settled', 'r', '{}', 0)`,
  `INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
   VALUES ('e', 'w', 'pending', 0, ${PARTNER} || ' https://loja.example')`,
]

/** Waits until this many transactions wait for the lock. */
async function waitingFor(read: Awaited<ReturnType<typeof openStore>>['read'], count: number): Promise<void> {
  const sql = `SELECT count(*) AS count FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  await expect.poll(() => read((queries) => queries.get(sql))).toEqual({ count: BigInt(count) })
}

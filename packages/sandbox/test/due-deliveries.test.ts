import { sign } from '@partner-payments/webhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { claimDue, shortenDeliveries } from '../src/deliveries/claim.ts'
import { trackDeliveries } from '../src/deliveries/in-progress.ts'
import type { App } from '../src/index.ts'
import { settleDue } from '../src/transfers/settle.ts'
import { BACKENDS, DURABLE, newFile, newState } from './backends.ts'
import { readRows, times } from './callers.ts'
import { type Receiver, receiver } from './receiver.ts'
import { openSandbox } from './started.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

let shop: Receiver
beforeEach(async () => {
  shop = await receiver()
  return shop.close
})

async function claim({ context }: App) {
  const inProgress = trackDeliveries({ perOrigin: 64, total: 64 })
  const { claimed } = await claimDue(context, inProgress)
  return claimed
}

function deliveriesOf(sandbox: App) {
  return readRows(sandbox, 'SELECT status, attempts FROM deliveries ORDER BY position')
}

async function settledCount(sandbox: App): Promise<number> {
  const settled = await readRows(sandbox, `SELECT id FROM transfers WHERE status = 'settled'`)
  return settled.length
}

/** How long a delivery waits before each of its attempts. */
const WAITS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

describe('a delivery', () => {
  test('that fails is tried ten times by the schedule, and is then dead', async () => {
    const sandbox = await openSandbox({ settleAfterMs: 100 })
    sandbox.clock.freeze()
    shop.respondWith(500)
    await sandbox.register(shop.url)

    const firstAt = sandbox.clock.now() + 100
    await sandbox.pay()
    await sandbox.worker.moveTo(firstAt + 100 * HOUR_MS)

    const expected: { number: bigint; at: bigint }[] = []
    let at = firstAt
    for (const waitMs of WAITS_MS) {
      at += waitMs
      expected.push({ number: BigInt(expected.length + 1), at: BigInt(at) })
    }
    const attempts = await readRows(sandbox, 'SELECT number, at FROM attempts ORDER BY position')
    expect(attempts).toEqual(expected)
    expect(new Set(shop.ids).size).toBe(1)
    expect(shop.ids).toHaveLength(10)
    expect(await deliveriesOf(sandbox)).toEqual([{ status: 'dead', attempts: 10n }])
  })

  test('is signed with the newest secret and, for 24 hours, with the one that it replaced', async () => {
    const sandbox = await openSandbox()
    sandbox.clock.freeze()
    await sandbox.register(shop.url)

    const { webhooks } = sandbox.partner
    const [webhook] = (await webhooks.list()).data
    const { secret: second } = await webhooks.rotateSecret(webhook?.id ?? '')
    const { secret: third } = await webhooks.rotateSecret(webhook?.id ?? '')

    for (const secrets of [[third, second], [third]] as const) {
      await sandbox.pay()
      await sandbox.worker.idle()
      const [{ id = '', timestamp = 0, body = '', signature } = {}] = shop.got.splice(0)
      const signed = await sign(body, secrets, { id, now: () => timestamp * SECOND_MS })
      expect(signed['webhook-signature']).toBe(signature)

      await sandbox.worker.moveTo(sandbox.clock.now() + 24 * HOUR_MS)
    }
  })

  test('is left for the next start when the sandbox closes, without counting an attempt', async () => {
    shop.hold()
    const file = newFile()
    const closing = await openSandbox({ file })
    await closing.register(shop.url)
    await closing.pay()
    await shop.came(1)
    await closing.cut()

    const next = await openSandbox({ file })
    shop.respondWith(200)
    await next.worker.idle()
    expect(shop.ids).toHaveLength(2)
    expect(await readRows(next, 'SELECT number, ok FROM attempts')).toEqual([
      { number: 1n, ok: 1n },
    ])
  })
})

test.each([600, -600])('two instances deliver once although one is %i s ahead', async (seconds) => {
  const where = await newState('postgres')
  const one = await openSandbox(where)
  const two = await openSandbox({ ...where, now: () => Date.now() + seconds * SECOND_MS })
  const respond = shop.hold()
  await one.register(shop.url)

  for (const _ of times(4)) await one.pay()
  await expect.poll(() => shop.ids.length).toBe(4)
  for (const sandbox of [one, two]) expect(await claim(sandbox)).toEqual([])

  respond()
  await Promise.all([one.worker.idle(), two.worker.idle()])
  expect(shop.ids).toHaveLength(4)
  expect(new Set(shop.ids).size).toBe(4)
  expect(await deliveriesOf(one)).toMatchObject(times(4).map(() => ({ attempts: 1n })))
})

describe.each(DURABLE)('a sandbox on %s that was killed', (kind) => {
  test('leaves its deliveries in progress to the next one, at once if it had the file alone', async () => {
    const where = await newState(kind)
    const killed = await openSandbox(where)
    await killed.worker.close()
    await killed.register(shop.url)
    await killed.pay()
    await settleDue(killed.context)
    expect(await claim(killed)).toHaveLength(1)
    await killed.cut()

    const next = await openSandbox(where)
    await next.worker.idle()
    // With PostgreSQL, the claim may be that of an instance that still runs.
    const isAlone = kind === 'sqlite, in a file'
    expect(shop.ids).toHaveLength(isAlone ? 1 : 0)
  })
})

describe.each(DURABLE)('on %s, an hour that the clock goes back', (kind) => {
  let now: number
  const start = async (where = newState(kind)) =>
    openSandbox({ ...(await where), now: () => now, settleAfterMs: 100 })

  beforeEach(() => {
    now = Date.parse('2026-11-23T12:00:00Z')
  })

  test.each([false, true])('delays no settlement (after a restart: %s)', async (restarts) => {
    const where = newState(kind)
    let sandbox = await start(where)
    await sandbox.pay()

    if (restarts) await sandbox.close()
    now -= HOUR_MS
    if (restarts) sandbox = await start(where)

    await sandbox.worker.idle()
    expect(await settledCount(sandbox)).toBe(0)

    now += 100
    await sandbox.worker.idle()
    expect(await settledCount(sandbox)).toBe(1)
  })

  test('does not delay the next attempt of a delivery', async () => {
    const sandbox = await start()
    shop.respondWith(500)
    await sandbox.register(shop.url)
    await sandbox.pay()

    const counts: number[] = []
    for (const ms of [100, -HOUR_MS, 5 * SECOND_MS]) {
      now += ms
      await sandbox.worker.idle()
      counts.push(shop.ids.length)
    }
    expect(counts).toEqual([1, 1, 2])
  })

  test('releases a claim after a minute, or if it is longer than possible', async () => {
    const sandbox = await start()
    await sandbox.worker.close()
    await sandbox.register(shop.url)
    await sandbox.pay()
    now += 100
    await settleDue(sandbox.context)

    const counts: number[] = []
    for (const seconds of [59, 61, -1]) {
      const until = Date.now() + seconds * SECOND_MS
      await sandbox.store.write((queries) =>
        queries.run('UPDATE deliveries SET claimed_until = ?', [until]),
      )
      const claimed = await claim(sandbox)
      counts.push(claimed.length)
    }
    expect(counts).toEqual([0, 1, 1])
  })
})

describe.each(BACKENDS)('shortening waits on %s', (kind) => {
  test('goes through thousands of deliveries, and changes those that wait too long', async () => {
    const sandbox = await openSandbox(await newState(kind))
    sandbox.clock.freeze()
    const now = sandbox.clock.now()
    await sandbox.register(shop.url)
    const statements = [
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1300)
        INSERT INTO events (id, partner_id, type, record_id, body, created_at)
        SELECT 'e' || i, (SELECT min(id) FROM partners), 'transfer.settled', 'r', '{}', 1 FROM n`,
      // Each has one attempt, and may wait five seconds; every second one waits a second longer.
      `INSERT INTO deliveries (event_id, webhook_id, status, attempts, due_at, lane)
        SELECT e.id, (SELECT min(id) FROM webhooks), 'pending', 1,
          ${now + 5 * SECOND_MS} + e.position % 2 * ${SECOND_MS}, 'lane' || e.position % 3
        FROM events e WHERE e.record_id = 'r'`,
    ]
    for (const sql of statements) await sandbox.store.write((queries) => queries.run(sql))

    await shortenDeliveries(sandbox.context)
    // The first look of the loop may have shortened some, a moment before.
    const waits = await readRows(sandbox, 'SELECT max(due_at) AS latest FROM deliveries')
    expect(waits).toEqual([{ latest: BigInt(now + 5 * SECOND_MS) }])
  })
})

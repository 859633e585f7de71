import { beforeEach, describe, expect, test } from 'vitest'
import type { Lookup } from '../../src/deliveries/dial.ts'
import type { App, AppOptions } from '../../src/index.ts'
import { BACKENDS, newState } from '../backends.ts'
import { readRows, times } from '../callers.ts'
import { type Receiver, receiver } from '../receiver.ts'
import { openSandbox } from '../started.ts'

// Nothing here is timed: a silent receiver stays silent until another received its deliveries. If
// one blocked the other, the test would never end.

type Shop = Receiver & { readonly respond: () => void }
let shop: Shop
beforeEach(async () => {
  shop = await open()
  shop.respond()
  return shop.close
})

describe.each(BACKENDS)('a receiver gets its deliveries, on %s,', (kind) => {
  /** Starts a sandbox that waits longer for a receiver than any test takes. */
  const start = async (poster: AppOptions['poster'] = {}) =>
    openSandbox({ ...(await newState(kind)), poster: { timeoutMs: 600_000, ...poster } })

  test('while the names of many others do not resolve', async () => {
    // It succeeds for the registration, then hangs, then fails.
    const hanging = Promise.withResolvers<never>()
    let addresses: ReturnType<Lookup> = Promise.resolve([{ address: '8.8.8.8' }])
    const sandbox = await start({ lookup: () => addresses })
    await sandbox.register(...times(40).map((i) => `https://loja-${i}.teste/pix`), shop.url)

    addresses = hanging.promise
    await sandbox.pay()
    await shop.came(1)

    hanging.reject(new Error('ENOTFOUND'))
    await sandbox.worker.idle()
    const sql = 'SELECT reason, count(*) AS count FROM attempts GROUP BY reason ORDER BY reason'
    expect(await readRows(sandbox, sql)).toEqual([
      { reason: '', count: 1n },
      { reason: 'dns', count: 40n },
    ])
  })

  test('while another is silent on forty webhooks, four at a time', async () => {
    const sandbox = await start()
    const silent = await open()
    await sandbox.register(...times(40).map((i) => `${silent.url}/${i}`), shop.url)

    await sandbox.pay()
    await shop.came(1)
    await silent.came(4)
    expect(await claimed(sandbox, silent)).toBe(4)

    silent.respond()
    await sandbox.worker.idle()
    expect(new Set(silent.got.map(({ id, path }) => id + path)).size).toBe(40)
    expect(silent.got).toHaveLength(40)
    expect(silent.most).toBe(4)
  })

  test('when its host has capacity, and they are not claimed before', async () => {
    const sandbox = await start({ total: 3 })
    const silent = await Promise.all(times(3).map(open))
    await sandbox.register(...silent.map(({ url }) => url), shop.url)

    await sandbox.pay()
    for (const receiver of silent) await receiver.came(1)
    expect(await claimed(sandbox, ...silent, shop)).toBe(3)
    expect(shop.got).toEqual([])

    silent[1]?.respond()
    await shop.came(1)
    for (const { respond } of silent) respond()
  })

  test('once, though the claim expires while it is slow', async () => {
    const sandbox = await start()
    const silent = await open()
    await sandbox.register(silent.url, shop.url)
    await sandbox.pay()
    await silent.came(1)

    await sandbox.store.write((queries) => queries.run('UPDATE deliveries SET claimed_until = 0'))
    await sandbox.pay()
    await shop.came(2)

    silent.respond()
    await sandbox.worker.idle()
    expect(silent.got).toHaveLength(2)
    expect(new Set(silent.ids).size).toBe(2)
  })
})

/** A receiver that does not respond until the test says so. */
async function open(): Promise<Shop> {
  const created = await receiver()
  return Object.assign(created, { respond: created.hold() })
}

/** How many deliveries to these receivers are claimed. */
async function claimed(sandbox: App, ...receivers: readonly Shop[]): Promise<number> {
  const sql = `
    SELECT webhooks.url
    FROM deliveries JOIN webhooks ON webhooks.id = deliveries.webhook_id
    WHERE deliveries.claimed_until > ?`
  const rows = await readRows<{ url: string }>(sandbox, sql, [sandbox.clock.now()])
  const toReceivers = rows.filter(({ url }) =>
    receivers.some((receiver) => url.startsWith(receiver.url)),
  )
  return toReceivers.length
}

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BACKENDS, newState } from '../backends.ts'
import { newTxId, readRows, times } from '../callers.ts'
import { type Started, start } from '../started.ts'

interface Time {
  readonly now: string
  readonly frozen: boolean
  readonly ahead_seconds: number
}

let sandbox: Started

async function set(change: object): Promise<Time> {
  const { body } = await sandbox.control<Time>('POST', '/clock', change)
  return body
}

async function read(): Promise<Time> {
  const { body } = await sandbox.control<Time>('GET', '/clock')
  return body
}

describe('/clock', () => {
  beforeAll(async () => {
    sandbox = await start()
    await sandbox.partner.webhooks.create({ type: 'all', url: sandbox.shop.url })
    return sandbox.close
  })
  beforeEach(async () => {
    await set({ freeze: false, advance_seconds: 3 })
  })

  test('freezes, and nothing becomes due; then it resumes from where it was moved to', async () => {
    const { now } = await set({ freeze: true })
    const before = sandbox.shop.got.length
    await sandbox.pay()
    await sandbox.worker.idle()
    expect(await read()).toMatchObject({ now, frozen: true })
    expect(sandbox.shop.got.length).toBe(before)

    await set({ advance_seconds: 60 })
    expect((await set({ freeze: false })).frozen).toBe(false)

    const later = Date.parse((await read()).now) - Date.parse(now)
    expect(later).toBeGreaterThanOrEqual(60_000)
    expect(later).toBeLessThan(90_000)
  })

  test.each([true, false])('responds when all due work is done (frozen: %s)', async (freeze) => {
    await set({ freeze })
    const { id } = await sandbox.pay()
    await set({ advance_seconds: 1 })
    const event = JSON.parse(sandbox.shop.got.at(-1)?.body ?? '')
    expect(event).toMatchObject({ type: 'transfer.settled', data: { id } })
  })

  test('runs concurrent advances one after the other', async () => {
    const { now } = await set({ freeze: true })
    await Promise.all(times(20).map(() => set({ advance_seconds: 100.5 })))

    const time = await read()
    expect(Date.parse(time.now) - Date.parse(now)).toBe(2_010_000)
    expect(time.frozen).toBe(true)
  })
})

describe.each(BACKENDS)('POST /clock {"reset": true} on %s', (backend) => {
  beforeAll(async () => {
    sandbox = await start(await newState(backend))
    return sandbox.close
  })

  test('restores the system time, and leaves no record updated or settled before it was created', async () => {
    await set({ freeze: true, advance_seconds: 3 * 86_400 })
    const { webhooks, qrcodes } = sandbox.partner
    const hook = { type: 'transfer', url: sandbox.shop.url } as const

    const charge = () =>
      qrcodes.createImmediate({
        dict_key: '12ABC34501DE35',
        tx_id: newTxId(),
        amount: { original: '1.00' },
      })

    const webhook = await webhooks.create(hook)
    const cancelled = await charge()
    const paid = await charge()
    await sandbox.pay()

    const before = Date.now()
    const { now, frozen, ahead_seconds } = await set({ reset: true })
    expect({ frozen, ahead_seconds }).toEqual({ frozen: false, ahead_seconds: 0 })
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now())

    const later = await webhooks.create(hook)
    const { data: listed } = await webhooks.list()
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([later.id, webhook.id])

    await sandbox.control('POST', `/qrcodes/${paid.id}/pay`)
    await qrcodes.cancelImmediate(cancelled.id)
    await webhooks.update(webhook.id, { ...hook, status: 'inactive' })
    await webhooks.delete(webhook.id)
    await sandbox.advance(1)

    // What happens to a record after the reset has the time of its creation.
    for (const { table, column, count } of [
      { table: 'qrcodes', column: 'updated_at', count: 2 },
      { table: 'webhooks', column: 'updated_at', count: 1 },
      { table: 'webhooks', column: 'deleted_at', count: 1 },
      { table: 'transfers', column: 'settled_at', count: 1 },
    ]) {
      const sql = `SELECT id FROM ${table} WHERE ${column} = created_at AND created_at > ?`
      expect(await readRows(sandbox, sql, [Date.now()]), sql).toHaveLength(count)
    }
  })
})

test.each(BACKENDS)(
  'takes a time source with fractions of a millisecond on %s',
  async (backend) => {
    const app = await start({ ...(await newState(backend)), now: () => Date.now() + 0.5 })
    const { id } = await app.partner.webhooks.create({ type: 'all', url: app.shop.url })
    const { created_at } = await app.partner.webhooks.get(id)
    await app.close()
    expect(Date.parse(String(created_at))).toBeLessThanOrEqual(Date.now())
  },
)

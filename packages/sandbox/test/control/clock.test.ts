import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { State } from '../../src/control/state.ts'
import { type Receiver, receiver } from '../receiver.ts'
import { sharedPostgres } from '../state/backends.ts'
import { type Started, start } from './start.ts'

type Time = { readonly now: string; readonly frozen: boolean; readonly ahead_seconds: number }

let sandbox: Started
let shop: Receiver

beforeAll(async () => {
  ;[sandbox, shop] = await Promise.all([start(), receiver()])
  await sandbox.payments.webhooks.create({ type: 'all', url: shop.url })
})
afterAll(async () => {
  await sandbox.close()
  await shop.close()
})
beforeEach(async () => {
  shop.respondWith(204)
  await set({ freeze: false, advance_seconds: 3 })
})

const set = async (body: object) => (await sandbox.control<Time>('POST', '/clock', body)).body
const read = async () => (await sandbox.control<Time>('GET', '/clock')).body
const pay = async () => (await sandbox.payments.keys.check('beltrana@example.com')).pay({ amount: '1.00' })

describe('/clock', () => {
  test('freezes, and nothing becomes due', async () => {
    const { now, frozen } = await set({ freeze: true })
    expect(frozen).toBe(true)
    await pay()
    const before = shop.got.length
    await sandbox.app.worker.idle()
    expect(await read()).toMatchObject({ now, frozen: true })
    expect(shop.got.length).toBe(before)
  })

  test('resumes from where it was frozen', async () => {
    const { now } = await set({ freeze: true })
    const { frozen } = await set({ freeze: false })
    expect(frozen).toBe(false)
    const later = Date.parse((await read()).now)
    expect(later).toBeGreaterThanOrEqual(Date.parse(now))
    expect(later).toBeLessThan(Date.parse(now) + 30_000)
  })

  test('advances by the requested time while it is frozen', async () => {
    const { now } = await set({ freeze: true })
    const moved = await set({ advance_seconds: 90.5 })
    expect(Date.parse(moved.now) - Date.parse(now)).toBe(90_500)
    expect(moved.frozen).toBe(true)
  })

  test.each([true, false])('responds when all due work is done (frozen: %s)', async (freeze) => {
    await set({ freeze })
    const transfer = await pay()
    await set({ advance_seconds: 1 })
    const { got } = shop
    expect(JSON.parse(got.at(-1)?.body ?? '')).toMatchObject({
      type: 'transfer.settled',
      data: { id: transfer.id },
    })
  })

  test('runs concurrent advances one after the other', async () => {
    const { now } = await set({ freeze: true })
    await Promise.all(Array.from({ length: 20 }, () => set({ advance_seconds: 100 })))
    expect(Date.parse((await read()).now) - Date.parse(now)).toBe(2_000_000)
  })

  test.each([
    ['nothing to do', {}, ''],
    ['a reset that is false', { reset: false }, '/reset'],
    ['time that goes back', { advance_seconds: -1 }, '/advance_seconds'],
    ['more than ten years', { advance_seconds: 315_360_001 }, '/advance_seconds'],
    ['a text', { advance_seconds: '5' }, '/advance_seconds'],
    ['a slip of the name', { freeze: true, advance_second: 5 }, '/advance_second'],
    ['a freeze that is not a boolean', { freeze: 'yes' }, '/freeze'],
    ['a list', [], ''],
  ])('refuses %s, and points to it', async (_, body, pointer) => {
    const before = await read()
    const response = await sandbox.control('POST', '/clock', body)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer }] })
    expect((await read()).frozen).toBe(before.frozen)
  })

  test.each([
    ['no JSON', '{', 'application/json', 400, 'malformed_body'],
    ['another type', 'freeze=true', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['a body over 64 KB', ' '.repeat(65_537), 'application/json', 413, 'body_too_large'],
    ['no body', '', 'application/json', 400, 'invalid_request'],
  ])('refuses %s', async (_, body, type, status, code) => {
    const response = await fetch(`${sandbox.url}/_sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
  })
})

describe.each(['sqlite', 'postgres'] as const)('POST /clock {"reset": true} on %s', (backend) => {
  let sandbox: Started
  let shop: Receiver
  const DAYS = 3 * 86_400
  const set = async (body: object) => (await sandbox.control<Time>('POST', '/clock', body)).body

  beforeAll(async () => {
    const databaseUrl = backend === 'postgres' ? await sharedPostgres().newDatabase() : undefined
    ;[sandbox, shop] = await Promise.all([start({ databaseUrl }), receiver()])
    await sandbox.payments.webhooks.create({ type: 'all', url: shop.url })
  })
  afterAll(async () => {
    await sandbox.close()
    await shop.close()
  })
  beforeEach(() => set({ reset: true, freeze: true, advance_seconds: DAYS }))

  test('resets an advanced and frozen clock to the system time, and lets it run', async () => {
    const before = Date.now()
    const { now, frozen, ahead_seconds } = await set({ reset: true })
    expect({ frozen, ahead_seconds }).toEqual({ frozen: false, ahead_seconds: 0 })
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now())
  })

  test('leaves no record updated before it was created, and lists in the order of creation', async () => {
    const { payments } = sandbox
    const dict_key = '12ABC34501DE35'
    const amount = { original: '1.00' }
    const tx_id = () => `PEDIDO${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
    const webhook = await payments.webhooks.create({ type: 'transfer', url: shop.url })
    const cancelled = await payments.qrcodes.createImmediate({ dict_key, tx_id: tx_id(), amount })
    const paid = await payments.qrcodes.createImmediate({ dict_key, tx_id: tx_id(), amount })
    await set({ reset: true })
    const later = await payments.webhooks.create({ type: 'transfer', url: shop.url })
    const { data: listed } = await payments.webhooks.list()
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([later.id, webhook.id])
    await sandbox.control('POST', `/qrcodes/${paid.id}/pay`)
    const records = [
      await payments.webhooks.update(webhook.id, { type: 'all', url: shop.url, status: 'inactive' }),
      await payments.qrcodes.cancelImmediate(cancelled.id),
    ]
    for await (const record of payments.qrcodes.listImmediate()) records.push(record)
    expect(records.map(({ id }) => id)).toContain(paid.id)
    for (const { created_at, updated_at } of records)
      expect(Date.parse(String(updated_at))).toBeGreaterThanOrEqual(Date.parse(String(created_at)))
    await payments.webhooks.delete(webhook.id)
    const sql = `SELECT count(*) AS count FROM webhooks WHERE deleted_at < created_at`
    expect(await sandbox.app.store.read((queries) => queries.get(sql))).toEqual({ count: 0n })
  })

  test('leaves no transfer settled before it was created', async () => {
    const payee = await sandbox.payments.keys.check('beltrana@example.com')
    await payee.pay({ amount: '1.00' })
    await set({ reset: true })
    await set({ advance_seconds: 1 })
    const { transfers } = (await sandbox.control<State>('GET', '/state')).body
    expect(transfers[0]).toMatchObject({ status: 'settled', settled_at: transfers[0]?.created_at })
  })
})

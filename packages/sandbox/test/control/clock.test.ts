import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WAITS } from '../../src/deliveries/schedule.ts'
import { type Receiver, receiver } from './receiver.ts'
import { type Started, start } from './start.ts'

type Time = { readonly now: string; readonly frozen: boolean }

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
  shop.answers(204)
  await set({ freeze: false, advance_seconds: 3 })
})

const set = async (body: object) => (await sandbox.control<Time>('POST', '/clock', body)).body
const read = async () => (await sandbox.control<Time>('GET', '/clock')).body
const pay = async () => (await sandbox.payments.keys.check('beltrana@example.com')).pay({ amount: '1.00' })

describe('/clock', () => {
  test('stands still once it is frozen, and nothing becomes due', async () => {
    const { now, frozen } = await set({ freeze: true })
    expect(frozen).toBe(true)
    await pay()
    const before = shop.got.length
    await sandbox.app.worker.idle()
    expect(await read()).toEqual({ now, frozen: true })
    expect(shop.got.length).toBe(before)
  })

  test('runs on from where it stood', async () => {
    const { now } = await set({ freeze: true })
    const { frozen } = await set({ freeze: false })
    expect(frozen).toBe(false)
    const later = Date.parse((await read()).now)
    expect(later).toBeGreaterThanOrEqual(Date.parse(now))
    expect(later).toBeLessThan(Date.parse(now) + 30_000)
  })

  test('moves on while it stands still, by as much as it was told', async () => {
    const { now } = await set({ freeze: true })
    const moved = await set({ advance_seconds: 90.5 })
    expect(Date.parse(moved.now) - Date.parse(now)).toBe(90_500)
    expect(moved.frozen).toBe(true)
  })

  test.each([true, false])('answers when all that became due was done (frozen: %s)', async (freeze) => {
    await set({ freeze })
    const transfer = await pay()
    await set({ advance_seconds: 1 })
    const { got } = shop
    expect(JSON.parse(got.at(-1)?.body ?? '')).toMatchObject({
      type: 'transfer.settled',
      data: { id: transfer.id },
    })
  })

  test('brings every attempt of a delivery at its own time', async () => {
    const { now } = await set({ freeze: true })
    shop.answers(500)
    await pay()
    const before = shop.got.length
    await set({ advance_seconds: 4 * 86_400 })
    const times = shop.got.slice(before).map(({ timestamp }) => timestamp)
    const settled = Math.floor((Date.parse(now) + 100) / 1000)
    const waits = times.slice(1).map((time, i) => 1000 * (time - (times[i] ?? 0)))
    expect([times[0], ...waits]).toEqual([settled, ...WAITS])
  })

  test('takes advances that come at once one after the other', async () => {
    const { now } = await set({ freeze: true })
    await Promise.all(Array.from({ length: 20 }, () => set({ advance_seconds: 100 })))
    expect(Date.parse((await read()).now) - Date.parse(now)).toBe(2_000_000)
  })

  test.each([
    ['nothing to do', {}, ''],
    ['time that goes back', { advance_seconds: -1 }, '/advance_seconds'],
    ['more than ten years', { advance_seconds: 315_360_001 }, '/advance_seconds'],
    ['a text', { advance_seconds: '5' }, '/advance_seconds'],
    ['a slip of the name', { freeze: true, advance_second: 5 }, '/advance_second'],
    ['freeze that is no boolean', { freeze: 'yes' }, '/freeze'],
    ['a list', [], ''],
  ])('refuses %s, and points to it', async (_, body, pointer) => {
    const before = await read()
    const answer = await sandbox.control('POST', '/clock', body)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer }] })
    expect((await read()).frozen).toBe(before.frozen)
  })

  test('takes ten years', async () => {
    const other = await start()
    const { status, body } = await other.control<Time>('POST', '/clock', { advance_seconds: 315_360_000 })
    expect(status).toBe(200)
    expect(new Date(body.now).getUTCFullYear()).toBeGreaterThan(new Date().getUTCFullYear() + 8)
    await other.close()
  })

  test.each([
    ['no JSON', '{', 'application/json', 400, 'malformed_body'],
    ['another type', 'freeze=true', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['a body over 64 KB', ' '.repeat(65_537), 'application/json', 413, 'body_too_large'],
    ['no body', '', 'application/json', 400, 'invalid_request'],
  ])('refuses %s', async (_, body, type, status, code) => {
    const answer = await fetch(`${sandbox.url}/_sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ code })
  })
})

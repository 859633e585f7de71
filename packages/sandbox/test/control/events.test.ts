import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { lastEvents } from '../../src/control/events.ts'
import { type Receiver, receiver } from '../receiver.ts'
import { sharedPostgres } from '../state/backends.ts'
import { type Started, start } from './start.ts'

type Event = Awaited<ReturnType<typeof lastEvents>>[number]

const postgres = sharedPostgres()

describe.each(['sqlite', 'postgres'] as const)('on %s', (backend) => {
  let sandbox: Started
  let shop: Receiver
  let webhook_id: string
  beforeAll(async () => {
    const databaseUrl = backend === 'postgres' ? await postgres.newDatabase() : undefined
    ;[sandbox, shop] = await Promise.all([start({ databaseUrl }), receiver()])
  })
  afterAll(async () => {
    await sandbox.close()
    await shop.close()
  })
  beforeEach(async () => {
    await sandbox.control('POST', '/reset')
    await sandbox.control('POST', '/clock', { freeze: true })
    const { id } = await sandbox.payments.webhooks.create({ type: 'all', url: shop.url })
    webhook_id = id
    shop.got.length = 0
    shop.respondWith(204)
  })

  const pay = async () => {
    const payee = await sandbox.payments.keys.check('beltrana@example.com')
    const { id } = await payee.pay({ amount: '1.00' })
    await advance(1)
    return id
  }
  const advance = (advance_seconds: number) => sandbox.control('POST', '/clock', { advance_seconds })
  const last = async (query = '') =>
    (await sandbox.control<{ data: Event[] }>('GET', `/events${query}`)).body.data
  const one = async (id: string) => (await sandbox.control<Event>('GET', `/events/${id}`)).body
  const again = (event_id: string, to = webhook_id) =>
    sandbox.control('POST', '/deliveries/redeliver', { event_id, webhook_id: to })

  describe('GET /events', () => {
    test('lists the newest first, each with its body and its deliveries', async () => {
      const ids = [await pay(), await pay()]
      const events = await last()
      expect(events.map(({ record_id }) => record_id)).toEqual(ids.toReversed())
      expect(events[0]).toEqual({
        id: shop.got[1]?.id,
        partner_id: '47216ec3-f206-4f92-a1b8-735b0c2aba05',
        type: 'transfer.settled',
        record_id: ids[1],
        created_at: expect.stringMatching(/Z$/),
        body: JSON.parse(shop.got[1]?.body ?? ''),
        deliveries: [
          {
            webhook_id,
            status: 'delivered',
            due_at: null,
            attempts: [expect.objectContaining({ number: 1, ok: true, status: 204, reason: '', detail: '' })],
          },
        ],
      })
      expect(await one(events[0]?.id ?? '')).toMatchObject(events[0] ?? {})
    })

    test('keeps the deliveries of several webhooks apart', async () => {
      const broken = await receiver()
      broken.respondWith(500)
      const { id } = await sandbox.payments.webhooks.create({ type: 'all', url: broken.url })
      await pay()
      const [event] = await last()
      const deliveries = event?.deliveries.map((it) => [
        it.webhook_id,
        it.status,
        it.attempts.map(({ ok }) => ok),
      ])
      expect(deliveries).toEqual([
        [webhook_id, 'delivered', [true]],
        [id, 'pending', [false]],
      ])
      await broken.close()
    })

    test('lists as many as requested', async () => {
      await pay()
      await pay()
      expect(await last('?limit=1')).toHaveLength(1)
      expect(await last('?limit=100')).toHaveLength(2)
    })

    test.each(['0', '101', 'x', '-1', '1.5', ''])('refuses the limit "%s"', async (limit) => {
      const { status, body } = await sandbox.control('GET', `/events?limit=${limit}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: 'limit' }] })
    })

    test('returns 404 for an unknown event', async () => {
      const { status, body } = await sandbox.control('GET', '/events/msg_none')
      expect([status, body.code]).toEqual([404, 'not_found'])
    })
  })

  describe('POST /deliveries/redeliver', () => {
    test('sends a delivered event once more, with the same id and bytes, and keeps both attempts', async () => {
      await pay()
      const [{ id } = { id: '' }] = await last()
      const { status, body } = await again(id)
      expect([status, body]).toMatchObject([202, { event_id: id, webhook_id, status: 'pending' }])
      await sandbox.app.worker.idle()
      expect(shop.got).toHaveLength(2)
      const sent = shop.got.map(({ id, body }) => [id, body])
      expect(sent[1]).toEqual(sent[0])
      expect((await one(id)).deliveries).toMatchObject([
        { status: 'delivered', attempts: [{ number: 1 }, { number: 1 }] },
      ])
    })

    test('gives a dead delivery ten more attempts', async () => {
      shop.respondWith(500)
      await pay()
      await advance(4 * 86_400)
      const [{ id, deliveries } = { id: '', deliveries: [] }] = await last()
      expect(deliveries).toMatchObject([{ status: 'dead', due_at: null }])
      expect(deliveries[0]?.attempts).toHaveLength(10)
      await again(id)
      await advance(6)
      const [delivery] = (await one(id)).deliveries
      expect(delivery?.status).toBe('pending')
      expect(delivery?.attempts.map(({ number }) => number).slice(10)).toEqual([1, 2])
    })

    test('is not lost when the last attempt fails meanwhile', async () => {
      shop.respondWith(500)
      await pay()
      await advance(52 * 3600)
      const [{ id } = { id: '' }] = await last()
      shop.meanwhile(() => again(id))
      await advance(24 * 3600)
      const [delivery] = (await one(id)).deliveries
      expect(delivery?.attempts.map(({ number }) => number).slice(8, 11)).toEqual([9, 10, 1])
      expect(delivery?.status).toBe('pending')
    })

    test.each([
      ['deleted', 'The webhook of this delivery was deleted, so nothing is sent to it again.'],
      ['inactive', 'The webhook of this delivery is inactive. Set its status to "active", then redeliver.'],
    ])('refuses a webhook that is %s, with the reason', async (how, detail) => {
      await pay()
      const [{ id } = { id: '' }] = await last()
      if (how === 'deleted') await sandbox.payments.webhooks.delete(webhook_id)
      else
        await sandbox.payments.webhooks.update(webhook_id, { type: 'all', url: shop.url, status: 'inactive' })
      const { status, body } = await again(id)
      expect([status, body.detail]).toEqual([409, detail])
      await sandbox.app.worker.idle()
      expect(shop.got).toHaveLength(1)
      expect((await one(id)).deliveries).toMatchObject([{ status: 'delivered' }])
    })

    test('returns 404 for an unknown delivery', async () => {
      await pay()
      const [{ id } = { id: '' }] = await last()
      const responses = [await again('msg_none'), await again(id, 'none')]
      expect(responses.map(({ status }) => status)).toEqual([404, 404])
    })

    test('points to a missing field', async () => {
      const { status, body } = await sandbox.control('POST', '/deliveries/redeliver', { event_id: 'msg_1' })
      expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/webhook_id'])
    })
  })
})

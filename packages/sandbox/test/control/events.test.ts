import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { lastEvents } from '../../src/control/events.ts'
import type { Value } from '../../src/store/store.ts'
import { BACKENDS, newState } from '../backends.ts'
import { summarize, times } from '../callers.ts'
import { receiver } from '../receiver.ts'
import { type Started, start } from '../started.ts'

type Event = Awaited<ReturnType<typeof lastEvents>>[number]

describe.each(BACKENDS)('on %s', (backend) => {
  let sandbox: Started
  let webhook_id: string
  beforeAll(async () => {
    sandbox = await start(await newState(backend))
    return sandbox.close
  })
  beforeEach(async () => {
    const { control, partner, shop } = sandbox
    await control('POST', '/reset')
    await control('POST', '/clock', { freeze: true })
    const webhook = await partner.webhooks.create({ type: 'all', url: shop.url })
    webhook_id = webhook.id
    shop.got.length = 0
    shop.respondWith(204)
  })

  /** The last events, newest first. */
  async function readLast(query = ''): Promise<Event[]> {
    const { body } = await sandbox.control<{ data: Event[] }>('GET', `/events${query}`)
    return body.data
  }

  async function readEvent(id: string): Promise<Event> {
    const { body } = await sandbox.control<Event>('GET', `/events/${id}`)
    return body
  }

  function redeliver(event_id: string, to = webhook_id) {
    return sandbox.control('POST', '/deliveries/redeliver', { event_id, webhook_id: to })
  }

  test('the example of an event is delivered on request, and changes no record', async () => {
    const { status, body } = await sandbox.control('POST', '/events/qrcode.cancelled')
    expect(status).toBe(202)
    expect(body).toMatchObject({ type: 'qrcode.cancelled' })

    await sandbox.worker.idle()
    expect(sandbox.shop.got).toHaveLength(1)
    const [delivery] = sandbox.shop.got
    expect(JSON.stringify(delivery)).toContain('qrcode.cancelled')
    const [event] = await readLast()
    expect(event).toMatchObject({ type: 'qrcode.cancelled' })
  })

  test('an event that the contract does not have is refused with the names of all', async () => {
    const { status, body } = await sandbox.control<{ detail: string }>(
      'POST',
      '/events/qrcode.lost',
    )
    expect(status).toBe(404)
    expect(body.detail).toContain('There are transfer.settled, ')
  })

  /** Pays, and returns the event of its settlement after this many seconds. */
  async function emit(seconds = 1): Promise<Event> {
    await sandbox.pay()
    await sandbox.advance(seconds)
    const [newest] = await readLast()
    return newest as Event
  }

  describe('GET /events', () => {
    test('lists the newest first, each with its body and its deliveries', async () => {
      const older = await emit()
      const newer = await emit()
      const { transfers } = await sandbox.state()
      const events = await readLast('?limit=100')
      expect(events.map(({ id }) => id)).toEqual([newer.id, older.id])

      const { got } = sandbox.shop
      const attempt = expect.objectContaining({
        number: 1,
        ok: true,
        status: 204,
        reason: '',
        detail: '',
      })
      expect(events[0]).toEqual({
        id: got[1]?.id,
        partner_id: '47216ec3-f206-4f92-a1b8-735b0c2aba05',
        type: 'transfer.settled',
        record_id: transfers[0]?.id,
        created_at: expect.stringMatching(/Z$/),
        body: JSON.parse(got[1]?.body ?? ''),
        deliveries: [
          {
            event_id: got[1]?.id,
            webhook_id,
            type: 'transfer.settled',
            status: 'delivered',
            due_at: null,
            attempts: [attempt],
          },
        ],
      })
      expect(await readEvent(events[0]?.id ?? '')).toMatchObject(events[0] ?? {})
      expect(await readLast('?limit=1')).toHaveLength(1)
    })

    test('keeps the deliveries of several webhooks apart', async () => {
      const broken = await receiver()
      broken.respondWith(500)
      const { id } = await sandbox.partner.webhooks.create({ type: 'all', url: broken.url })
      const { deliveries } = await emit()
      expect(deliveries).toMatchObject([
        { webhook_id, status: 'delivered', attempts: [{ ok: true }] },
        { webhook_id: id, status: 'pending', attempts: [{ ok: false }] },
      ])

      await broken.close()
    })
  })

  describe('a response', () => {
    test('has 500 deliveries and 1,000 attempts at most, shared equally, the newest', async () => {
      await fillDeliveries({ events: 100, webhooks: 60, attempts: 10 })
      const read = countRows()
      const events = await readLast('?limit=100')
      expect(events).toHaveLength(100)
      expect(new Set(events.map(({ deliveries }) => deliveries.length))).toEqual(new Set([5]))
      const deliveries = events.flatMap((event) => event.deliveries)
      const numbers = deliveries.map(({ attempts }) => attempts.map(({ number }) => number))
      expect(new Set(numbers.map(String))).toEqual(new Set(['9,10']))
      expect(deliveries.every(({ webhook_id }) => Number(webhook_id.slice(1)) > 55)).toBe(true)
      // The 6,000 deliveries and 60,000 attempts are not read.
      expect(read.rows).toBe(100 + 500 + 1_000)
      read.stop()

      const { deliveries: ofOne } = await readEvent('e1')
      expect(ofOne).toHaveLength(60)
      expect(ofOne[0]?.attempts).toHaveLength(10)
      const { webhooks } = await sandbox.state()
      expect(webhooks.flatMap((webhook) => webhook.deliveries)).toHaveLength(500)
    })

    test('has the newest hundred attempts of a delivery that was redelivered often', async () => {
      await fillDeliveries({ events: 1, webhooks: 1, attempts: 3_000 })
      const read = countRows()
      const { deliveries } = await readEvent('e1')
      const numbers = deliveries[0]?.attempts.map(({ number }) => number) ?? []
      expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([100, 2_901, 3_000])
      expect(read.rows).toBe(1 + 1 + 100)
      read.stop()
    })
  })

  /** Counts the rows that statements return from now on. */
  function countRows() {
    const count = { rows: 0, stop: () => reading.mockRestore() }
    const { store } = sandbox
    const { read } = store
    const reading = vi.spyOn(store, 'read').mockImplementation((work) =>
      read((queries) =>
        work({
          ...queries,
          async all<R extends object>(sql: string, values?: readonly Value[]) {
            const rows = await queries.all<R>(sql, values)
            count.rows += rows.length
            return rows
          },
        }),
      ),
    )
    return count
  }

  interface Size {
    readonly events: number
    readonly webhooks: number
    readonly attempts: number
  }

  /** Fills the state with a delivery of each event to each webhook, each with its attempts. */
  async function fillDeliveries({ events, webhooks, attempts }: Size): Promise<void> {
    const upTo = (count: number) =>
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
    const statements = [
      `${upTo(webhooks)} INSERT INTO webhooks
        (id, partner_id, url, type, status, secret, created_at, updated_at)
        SELECT 'w' || i, (SELECT min(id) FROM partners), 'https://x.example/', 'all', 'active', 's', 1, 1
        FROM n`,
      `${upTo(events)} INSERT INTO events (id, partner_id, type, record_id, body, created_at)
        SELECT 'e' || i, (SELECT min(id) FROM partners), 'transfer.settled', 'r' || i, '{}', 1 FROM n`,
      `INSERT INTO deliveries (event_id, webhook_id, status, attempts)
        SELECT e.id, w.id, 'delivered', ${attempts} FROM events e CROSS JOIN webhooks w
        WHERE w.url = 'https://x.example/' ORDER BY e.position, w.position`,
      `${upTo(attempts)} INSERT INTO attempts
        (event_id, webhook_id, number, at, ok, status, reason, detail, duration_ms)
        SELECT event_id, webhook_id, i, 1, 0, 500, 'status', '', 3
        FROM deliveries CROSS JOIN n ORDER BY deliveries.position, i`,
    ]
    await sandbox.store.write(async (queries) => {
      for (const sql of statements) await queries.run(sql)
    })
  }

  describe('POST /deliveries/redeliver', () => {
    test('sends a delivered event once more, with the same id and bytes, and keeps both attempts', async () => {
      const { id } = await emit()
      const { status, body } = await redeliver(id)
      expect(status).toBe(202)
      expect(body).toMatchObject({ event_id: id, webhook_id, status: 'pending' })

      await sandbox.worker.idle()
      const [first, second] = sandbox.shop.got
      expect(second?.id).toBe(first?.id)
      expect(second?.body).toBe(first?.body)
      expect((await readEvent(id)).deliveries).toMatchObject([
        { status: 'delivered', attempts: [{ number: 1 }, { number: 1 }] },
      ])
    })

    test('gives a dead delivery ten more attempts', async () => {
      sandbox.shop.respondWith(500)
      const { id, deliveries } = await emit(4 * 86_400)
      expect(deliveries).toMatchObject([{ status: 'dead', due_at: null }])
      expect(deliveries[0]?.attempts).toHaveLength(10)

      await redeliver(id)
      await sandbox.advance(6)
      const [delivery] = (await readEvent(id)).deliveries
      expect(delivery?.status).toBe('pending')
      expect(delivery?.attempts.map(({ number }) => number).slice(10)).toEqual([1, 2])
    })

    test('is not lost when the last attempt fails meanwhile', async () => {
      const { shop } = sandbox
      shop.respondWith(500)
      const { id } = await emit(52 * 3600)

      const respond = shop.hold()
      const advance = sandbox.advance(24 * 3600)
      await shop.came(10)
      await redeliver(id)
      respond(500)
      await advance

      const [delivery] = (await readEvent(id)).deliveries
      expect(delivery?.attempts.map(({ number }) => number).slice(8, 11)).toEqual([9, 10, 1])
      expect(delivery?.status).toBe('pending')
    })

    test.each([
      {
        how: 'deleted',
        detail: 'The webhook of this delivery was deleted, so nothing is sent to it again.',
      },
      {
        how: 'inactive',
        detail:
          'The webhook of this delivery is inactive. Set its status to "active", then redeliver.',
      },
    ])('refuses a webhook that is $how, with the reason', async ({ how, detail }) => {
      const { id } = await emit()
      const { webhooks } = sandbox.partner
      if (how === 'deleted') {
        await webhooks.delete(webhook_id)
      } else {
        const { url } = sandbox.shop
        await webhooks.update(webhook_id, { type: 'all', url, status: 'inactive' })
      }

      const { status, body } = await redeliver(id)
      expect(status).toBe(409)
      expect(body.detail).toBe(detail)

      await sandbox.worker.idle()
      expect(sandbox.shop.got).toHaveLength(1)
      expect((await readEvent(id)).deliveries).toMatchObject([{ status: 'delivered' }])
    })

    test('returns 404 for an unknown event or delivery', async () => {
      const { id } = await emit()
      const shown = await sandbox.control('GET', '/events/msg_none')
      expect(summarize(shown)).toBe('404 not_found')
      expect(summarize(await redeliver('msg_none'))).toBe('404 not_found')
      expect(summarize(await redeliver(id, 'none'))).toBe('404 not_found')
    })
  })
})

test('an event with many deliveries leaves an older one its own', async () => {
  const { shop, register, pay, advance, control, close } = await start({ maxWebhooks: 300 })
  for (const more of [1, 200]) {
    await register(...times(more).map(() => shop.url))
    await pay()
    await advance(1)
  }

  const { data } = (await control<{ data: Event[] }>('GET', '/events?limit=2')).body
  expect(data.map(({ deliveries }) => deliveries.length)).toEqual([100, 1])

  await close()
})

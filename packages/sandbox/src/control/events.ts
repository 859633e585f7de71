import { notFound } from '../problems.ts'
import type { Queries, Value } from '../store/store.ts'
import { timestamp, timestampOrNull } from '../time.ts'
import { attemptExchangeOf } from './exchanges.ts'
import type { Recorder } from './recorder.ts'

type EventRow = {
  readonly id: string
  readonly partner_id: string
  readonly type: string
  readonly record_id: string
  readonly body: string
  readonly created_at: bigint
}

export function lastEvents(queries: Queries, limit: number) {
  return eventsOf(queries, 'ORDER BY position DESC LIMIT ?', limit)
}

/** One event, with its delivery to every webhook. */
export async function eventById(queries: Queries, id: string) {
  const [event] = await eventsOf(queries, 'WHERE id = ?', id)
  return event ?? notFound()
}

/** An event with the request and response of each attempt that is still remembered. */
export async function withExchanges(
  event: Awaited<ReturnType<typeof eventById>>,
  recorder: Recorder,
) {
  const exchange = (webhook_id: string, { number, at }: { number: number; at: string }) =>
    recorder.findAttempt({ event_id: event.id, webhook_id, attempt: number, at: Date.parse(at) })
  const deliveries = []
  for (const delivery of event.deliveries) {
    const attempts = []
    for (const it of delivery.attempts)
      attempts.push({ ...it, exchange: await attemptExchangeOf(exchange(delivery.webhook_id, it)) })
    deliveries.push({ ...delivery, attempts })
  }
  return { ...event, deliveries }
}

async function eventsOf(queries: Queries, which: string, value: Value) {
  const sql = `SELECT id, partner_id, type, record_id, created_at, body FROM events ${which}`
  const events = await queries.all<EventRow>(sql, [value])
  const ids = events.map(({ id }) => id)
  const deliveries = await deliveriesOf(queries, ofEvents(ids.length), ids)
  const byEvent = Map.groupBy(deliveries, ({ event_id }) => event_id)
  return events.map((event) => ({
    ...event,
    created_at: timestamp(event.created_at),
    body: JSON.parse(event.body) as unknown,
    deliveries: byEvent.get(event.id)?.reverse() ?? [],
  }))
}

type DeliveryRow = {
  readonly position: bigint
  readonly event_id: string
  readonly webhook_id: string
  readonly type: string
  readonly status: string
  readonly due_at: bigint | null
}

/** Deliveries with their attempts, oldest attempt first. */
export async function deliveriesOf(
  queries: Queries,
  { deliveries, attempts }: Selection,
  ids: string[],
) {
  const rows = await queries.all<DeliveryRow>(deliveries, ids)
  if (rows.length === 0) return []
  const attempted = await queries.all<AttemptRow>(attempts, ids)
  // They are read newest first, so the limit drops the oldest.
  const byDelivery = Map.groupBy(attempted.reverse(), ({ delivery }) => delivery)
  return rows.map(({ position, event_id, webhook_id, type, status, due_at }) => ({
    event_id,
    webhook_id,
    type,
    status,
    due_at: timestampOrNull(due_at),
    attempts: (byDelivery.get(position) ?? []).map(attemptOf),
  }))
}

type Selection = ReturnType<typeof selectionOf>

/** The statements that select some deliveries and their attempts, both newest first. */
function selectionOf(which: string, newest: typeof newestOfAll, limit: number, most: number) {
  const type = '(SELECT type FROM events WHERE id = event_id) AS type'
  const deliveries = newest(limit, `SELECT *, ${type} FROM deliveries WHERE ${which}`)
  // Ten of each delivery. Only redelivering adds more, and then the oldest are left out.
  const attempts = `
    SELECT d.position AS delivery, a.* FROM (${deliveries}) d
    JOIN attempts a ON a.webhook_id = d.webhook_id AND a.event_id = d.event_id`
  return { deliveries, attempts: newest(most, attempts) }
}

/** The order is an expression: by `position` alone, PostgreSQL would read the rows of others. */
function newestOfAll(limit: number, rows: string): string {
  return `SELECT * FROM (${rows}) it ORDER BY position + 0 DESC LIMIT ${limit}`
}

function newestOfEachEvent(limit: number, rows: string): string {
  const place = 'ROW_NUMBER() OVER (PARTITION BY event_id ORDER BY position DESC)'
  return `SELECT * FROM (SELECT it.*, ${place} AS place FROM (${rows}) it) placed WHERE place <= ${limit} ORDER BY position DESC`
}

/** A hundred deliveries of each event: a partner has no more webhooks by default. */
function ofEvents(count: number) {
  const places = Array(count).fill('?').join(', ') || 'NULL'
  return selectionOf(`event_id IN (${places})`, newestOfEachEvent, 100, 1_000)
}

/** The last deliveries to a webhook. */
export const OF_WEBHOOK = selectionOf('webhook_id = ?', newestOfAll, 20, 400)

type AttemptRow = {
  readonly delivery: bigint
  readonly number: bigint
  readonly at: bigint
  readonly ok: bigint
  readonly status: bigint | null
  readonly reason: string
  readonly detail: string
  readonly duration_ms: bigint
}

/**
 * A delivery attempt for display. `status` is null if no response arrived; `reason` is empty if the
 * attempt succeeded.
 */
function attemptOf({ number, at, ok, status, reason, detail, duration_ms }: AttemptRow) {
  return {
    number: Number(number),
    at: timestamp(at),
    ok: ok === 1n,
    status: status === null ? null : Number(status),
    reason,
    detail,
    duration_ms: Number(duration_ms),
  }
}

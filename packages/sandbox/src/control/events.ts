import { notFound } from '../problems.ts'
import type { Queries, Value } from '../store/store.ts'
import { timestamp, timestampOrNull } from '../time.ts'
import { type AttemptRow, attemptOf } from './attempts.ts'
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

type DeliveryRow = {
  readonly event_id: string
  readonly webhook_id: string
  readonly status: string
  readonly due_at: bigint | null
}

/** The last events, newest first, each with its delivery to every webhook. */
export function lastEvents(queries: Queries, limit: number) {
  return eventsOf(queries, 'SELECT * FROM events ORDER BY position DESC LIMIT ?', limit)
}

/**
 * One event, with its delivery to every webhook.
 *
 * @throws {Refusal} `not_found`
 */
export async function eventById(queries: Queries, id: string) {
  const [event] = await eventsOf(queries, 'SELECT * FROM events WHERE id = ?', id)
  return event ?? notFound()
}

/** An event with the request and response of each attempt that is still remembered. */
export async function withExchanges(event: Awaited<ReturnType<typeof eventById>>, recorder: Recorder) {
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

async function eventsOf(queries: Queries, select: string, value: Value) {
  const events = await queries.all<EventRow>(select, [value])
  const ids = events.map(({ id }) => id)
  const deliveries = await queries.all<DeliveryRow>(deliveriesOf(ids), ids)
  const attempts = await queries.all<AttemptRow>(attemptsOf(ids), ids)
  return events.map(({ id, partner_id, type, record_id, body, created_at }) => ({
    id,
    partner_id,
    type,
    record_id,
    created_at: timestamp(created_at),
    body: JSON.parse(body) as unknown,
    deliveries: deliveries
      .filter(({ event_id }) => event_id === id)
      .map((delivery) => deliveryOf(delivery, attempts)),
  }))
}

function deliveryOf({ event_id, webhook_id, status, due_at }: DeliveryRow, attempts: readonly AttemptRow[]) {
  const own = attempts.filter((it) => it.event_id === event_id && it.webhook_id === webhook_id)
  return { webhook_id, status, due_at: timestampOrNull(due_at), attempts: own.map(attemptOf) }
}

function deliveriesOf(ids: readonly string[]): string {
  return `SELECT event_id, webhook_id, status, due_at
    FROM deliveries WHERE event_id IN (${placesFor(ids)}) ORDER BY position LIMIT 5000`
}

function attemptsOf(ids: readonly string[]): string {
  return `SELECT a.event_id, a.webhook_id, a.number, a.at, a.ok, a.status, a.reason, a.detail, a.duration_ms
    FROM deliveries d JOIN attempts a ON a.webhook_id = d.webhook_id AND a.event_id = d.event_id
    WHERE d.event_id IN (${placesFor(ids)}) ORDER BY a.position LIMIT 5000`
}

function placesFor(ids: readonly string[]): string {
  return ids.map(() => '?').join(', ') || 'NULL'
}

import { notFound } from '../problems.ts'
import { inOneTrip, type Queries } from '../store/store.ts'
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

export async function lastEvents(queries: Queries, limit: number) {
  const events = await queries.all<EventRow>(`${EVENTS} ORDER BY position DESC LIMIT ?`, [limit])
  return inOneTrip(events.map((event) => eventOf(queries, event)))
}

/** One event, with its delivery to every webhook. */
export async function eventById(queries: Queries, id: string) {
  const event = await queries.get<EventRow>(`${EVENTS} WHERE id = ?`, [id])
  return eventOf(queries, event ?? notFound())
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

async function eventOf(queries: Queries, event: EventRow) {
  return {
    ...event,
    created_at: timestamp(event.created_at),
    body: JSON.parse(event.body) as unknown,
    deliveries: await deliveriesOf(queries, OF_EVENT, event.id),
  }
}

const EVENTS = 'SELECT id, partner_id, type, record_id, created_at, body FROM events'

type DeliveryRow = {
  readonly event_id: string
  readonly webhook_id: string
  readonly type: string
  readonly status: string
  readonly due_at: bigint | null
}

/** Deliveries with their attempts, oldest attempt first. */
export async function deliveriesOf(queries: Queries, { deliveries, attempts }: Selection, id: string) {
  const [rows, attempted] = await inOneTrip([
    queries.all<DeliveryRow>(deliveries, [id]),
    queries.all<AttemptRow>(attempts, [id]),
  ])
  const keyOf = ({ event_id, webhook_id }: Pick<DeliveryRow, 'event_id' | 'webhook_id'>) =>
    `${event_id} ${webhook_id}`
  // They are read newest first, so the limit drops the oldest.
  const byDelivery = Map.groupBy(attempted.reverse(), keyOf)
  return rows.map((row) => ({
    ...row,
    due_at: timestampOrNull(row.due_at),
    attempts: (byDelivery.get(keyOf(row)) ?? []).map(attemptOf),
  }))
}

type Selection = ReturnType<typeof selectionOf>

/**
 * The statements that select the deliveries of an event or a webhook, and their attempts. Limited for each, so that none
 * is shown without its deliveries. The order is an expression: by `position` alone, PostgreSQL would read those of others.
 */
function selectionOf(which: string, order: 'ASC' | 'DESC', limit: number, most: number) {
  const some = `
    SELECT position, event_id, webhook_id, status, due_at FROM deliveries
    WHERE ${which} = ? ORDER BY position + 0 ${order} LIMIT ${limit}`
  return {
    deliveries: `
      SELECT d.event_id, d.webhook_id, e.type, d.status, d.due_at FROM (${some}) d JOIN events e ON e.id = d.event_id
      ORDER BY d.position ${order}`,
    // Ten of each delivery. Only redelivering adds more, and then the oldest are left out.
    attempts: `
      SELECT a.event_id, a.webhook_id, a.number, a.at, a.ok, a.status, a.reason, a.detail, a.duration_ms
      FROM (${some}) d JOIN attempts a ON a.webhook_id = d.webhook_id AND a.event_id = d.event_id
      ORDER BY a.position + 0 DESC LIMIT ${most}`,
  }
}

const OF_EVENT = selectionOf('event_id', 'ASC', 100, 1_000)
/** The last deliveries to a webhook, newest first. */
export const OF_WEBHOOK = selectionOf('webhook_id', 'DESC', 20, 400)

type AttemptRow = {
  readonly event_id: string
  readonly webhook_id: string
  readonly number: bigint
  readonly at: bigint
  readonly ok: bigint
  readonly status: bigint | null
  readonly reason: string
  readonly detail: string
  readonly duration_ms: bigint
}

/**
 * A delivery attempt for display. `status` is null if no response arrived; `reason` is empty if the attempt succeeded.
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

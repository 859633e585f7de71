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

/** The last events, newest first: at most `limit`. */
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
  const deliveries = []
  for (const delivery of event.deliveries) {
    const { event_id, webhook_id } = delivery
    const attempts = []
    // One by one, because masking an exchange takes time.
    for (const attempt of delivery.attempts) {
      const at = Date.parse(attempt.at)
      const sent = recorder.findAttempt({ event_id, webhook_id, attempt: attempt.number, at })
      attempts.push({ ...attempt, exchange: await attemptExchangeOf(sent) })
    }
    deliveries.push({ ...delivery, attempts })
  }
  return { ...event, deliveries }
}

/**
 * Events with their deliveries, oldest delivery first: at most a hundred of each event, the newest.
 *
 * @param clause selects the events, and gives their order and limit; its one parameter is `value`
 */
async function eventsOf(queries: Queries, clause: string, value: Value) {
  const sql = `SELECT id, partner_id, type, record_id, created_at, body FROM events ${clause}`
  const events = await queries.all<EventRow>(sql, [value])
  const ids = events.map(({ id }) => id)
  const newestFirst = await deliveriesOf(queries, selectionOfEvents(ids.length), ids)
  const oldestFirst = newestFirst.toReversed()
  const byEvent = Map.groupBy(oldestFirst, ({ event_id }) => event_id)
  return events.map((event) => ({
    ...event,
    created_at: timestamp(event.created_at),
    body: JSON.parse(event.body) as unknown,
    deliveries: byEvent.get(event.id) ?? [],
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

/**
 * Deliveries, newest first, each with its attempts, oldest first.
 *
 * @param ids the parameters of both statements
 */
export async function deliveriesOf(
  queries: Queries,
  { deliveries, attempts }: Selection,
  ids: string[],
) {
  const rows = await queries.all<DeliveryRow>(deliveries, ids)
  if (rows.length === 0) return []
  // The limit drops the oldest.
  const newestFirst = await queries.all<AttemptRow>(attempts, ids)
  const oldestFirst = newestFirst.toReversed()
  const byDelivery = Map.groupBy(oldestFirst, ({ delivery }) => delivery)
  return rows.map(({ position, event_id, webhook_id, type, status, due_at }) => ({
    event_id,
    webhook_id,
    type,
    status,
    due_at: timestampOrNull(due_at),
    attempts: (byDelivery.get(position) ?? []).map(attemptOf),
  }))
}

/** The statements that select some deliveries and their attempts, both newest first. */
interface Selection {
  readonly deliveries: string
  readonly attempts: string
}

/** Rows to select from. The columns include `position` and `event_id`. */
interface Rows {
  readonly columns: string
  readonly sql: string
}

/**
 * The last deliveries to a webhook: twenty, with ten attempts of each. Only redelivering adds more
 * attempts, and then the oldest are left out.
 */
export const OF_WEBHOOK: Selection = selectionOfWebhook()

function selectionOfWebhook(): Selection {
  const deliveries = newestOfAll(deliveriesWhere('webhook_id = ?'), 20)
  const attempts = newestOfAll(attemptsOf(deliveries), 400)
  return { deliveries, attempts }
}

/**
 * The deliveries of events: a hundred of each event, since a partner has no more webhooks by
 * default, with ten attempts of each.
 */
function selectionOfEvents(count: number): Selection {
  const places = Array(count).fill('?').join(', ') || 'NULL'
  const deliveries = newestOfEachEvent(deliveriesWhere(`event_id IN (${places})`), 100)
  const attempts = newestOfEachEvent(attemptsOf(deliveries), 1_000)
  return { deliveries, attempts }
}

function deliveriesWhere(condition: string): Rows {
  const columns = 'position, event_id, webhook_id, status, due_at, type'
  const sql = `
    SELECT position, event_id, webhook_id, status, due_at,
      (SELECT type FROM events WHERE id = event_id) AS type
    FROM deliveries WHERE ${condition}`
  return { columns, sql }
}

/** The attempts of the deliveries that a statement selects. `delivery` is their position. */
function attemptsOf(deliveries: string): Rows {
  const columns =
    'delivery, position, event_id, number, at, ok, status, reason, detail, duration_ms'
  const sql = `
    SELECT d.position AS delivery, a.position, a.event_id, a.number, a.at, a.ok, a.status,
      a.reason, a.detail, a.duration_ms
    FROM (${deliveries}) d
    JOIN attempts a ON a.webhook_id = d.webhook_id AND a.event_id = d.event_id`
  return { columns, sql }
}

/** The order is an expression: by `position` alone, PostgreSQL would read the rows of others. */
function newestOfAll({ columns, sql }: Rows, limit: number): string {
  return `SELECT ${columns} FROM (${sql}) selected ORDER BY position + 0 DESC LIMIT ${limit}`
}

function newestOfEachEvent({ columns, sql }: Rows, limit: number): string {
  return `
    SELECT ${columns} FROM (
      SELECT ${columns},
        ROW_NUMBER() OVER (PARTITION BY event_id ORDER BY position DESC) AS place
      FROM (${sql}) selected
    ) placed
    WHERE place <= ${limit} ORDER BY position DESC`
}

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

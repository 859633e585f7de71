import { notFound } from '../problems.ts'
import { type Queries, sendInOneTrip, type Value } from '../store/store.ts'
import { timestamp, timestampOrNull } from '../time.ts'
import { describeAttempt } from './exchanges.ts'
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
  return selectEvents(queries, 'ORDER BY position DESC LIMIT ?', limit)
}

/** One event, with its delivery to every webhook. */
export async function eventById(queries: Queries, id: string) {
  const [event] = await selectEvents(queries, 'WHERE id = ?', id)
  return event ?? notFound()
}

/**
 * Returns an event in which each delivery attempt has its `exchange`: the request that was sent,
 * and the response. It is null for an attempt that sent nothing or is no longer remembered.
 *
 * @param recorder remembers the last exchanges
 */
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
      attempts.push({ ...attempt, exchange: await describeAttempt(sent) })
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
async function selectEvents(queries: Queries, clause: string, value: Value) {
  const sql = `SELECT id, partner_id, type, record_id, created_at, body FROM events ${clause}`
  const events = await queries.all<EventRow>(sql, [value])
  const ids = events.map(({ id }) => id)
  const newestFirst = await listDeliveries(queries, 'events', ids)
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
 * What has deliveries: the column with its id, and how many of its deliveries a response shows at
 * most.
 */
const DELIVERY_OWNERS = {
  // A partner has no more webhooks by default.
  events: { column: 'event_id', maxDeliveries: 100 },
  webhooks: { column: 'webhook_id', maxDeliveries: 20 },
} as const

type DeliveryOwner = keyof typeof DELIVERY_OWNERS

/** Deliveries and attempts of one response, so that its time does not grow with the state. */
const MAX_DELIVERIES = 500
const MAX_ATTEMPTS = 1_000
/** Attempts of one delivery. It has ten, and ten more each time it is redelivered. */
const MAX_ATTEMPTS_OF_DELIVERY = 100

/**
 * The last deliveries of some events or webhooks, newest first, each with its last attempts, oldest
 * first. A response has 500 deliveries at most, so 100 events have 5 each. The attempts are limited
 * in the same way.
 *
 * @param owner whether `ids` are events or webhooks
 */
export async function listDeliveries(
  queries: Queries,
  owner: DeliveryOwner,
  ids: readonly string[],
) {
  const { maxDeliveries } = DELIVERY_OWNERS[owner]
  const deliveriesEach = divideLimit(MAX_DELIVERIES, ids.length, maxDeliveries)
  const deliveriesSql = selectLastDeliveries(owner, deliveriesEach)
  const reads = ids.map((id) => queries.all<DeliveryRow>(deliveriesSql, [id]))
  const deliveries = (await sendInOneTrip(reads)).flat()
  if (deliveries.length === 0) return []

  const attemptsEach = divideLimit(MAX_ATTEMPTS, deliveries.length, MAX_ATTEMPTS_OF_DELIVERY)
  const attempts = await readLastAttempts(queries, deliveriesSql, ids, attemptsEach)
  const attemptsByDelivery = Map.groupBy(attempts, ({ delivery }) => delivery)
  return deliveries.map(({ position, event_id, webhook_id, type, status, due_at }) => ({
    event_id,
    webhook_id,
    type,
    status,
    due_at: timestampOrNull(due_at),
    attempts: (attemptsByDelivery.get(position) ?? []).map(toAttempt),
  }))
}

/** The last attempts of the deliveries that a statement selects for each id, oldest first. */
async function readLastAttempts(
  queries: Queries,
  deliveriesSql: string,
  ids: readonly string[],
  attemptsEach: number,
): Promise<AttemptRow[]> {
  const sql = selectLastAttempts(deliveriesSql)
  const reads = ids.map((id) => queries.all<AttemptRow>(sql, [attemptsEach, id]))
  const newestFirst = (await sendInOneTrip(reads)).flat()
  return newestFirst.toReversed()
}

/** Divides the limit of a response by the number of owners: at least 1, and at most `maxEach`. */
function divideLimit(limit: number, owners: number, maxEach: number): number {
  const share = Math.floor(limit / Math.max(1, owners))
  return Math.max(1, Math.min(maxEach, share))
}

/**
 * Selects the last deliveries of one owner, newest first; its one parameter is the id. A statement
 * for all owners would read all their deliveries, or let PostgreSQL read the whole table.
 *
 * By `position` alone in place of `position + 0`, PostgreSQL would read the rows of others, too. The
 * limit is no parameter, because the plan depends on it.
 */
function selectLastDeliveries(owner: DeliveryOwner, limit: number): string {
  return `
    SELECT position, event_id, webhook_id, status, due_at,
      (SELECT type FROM events WHERE id = event_id) AS type
    FROM deliveries WHERE ${DELIVERY_OWNERS[owner].column} = ?
    ORDER BY position + 0 DESC LIMIT ${limit}`
}

/**
 * The SQL that selects the last attempts of some deliveries, newest first. Its parameters are how
 * many attempts of each delivery, then those of `deliveries`. `before` is the position of the newest
 * attempt that is left out: of ten attempts, the seventh if the last three are selected; 0 if none
 * is left out. The order is as in {@link selectLastDeliveries}.
 *
 * @param deliveries the SQL that selects the deliveries
 */
function selectLastAttempts(deliveries: string): string {
  return `
    WITH chosen AS MATERIALIZED (
      SELECT d.position, d.event_id, d.webhook_id, COALESCE((
        SELECT x.position FROM attempts x
        WHERE x.webhook_id = d.webhook_id AND x.event_id = d.event_id
        ORDER BY x.position DESC LIMIT 1 OFFSET ?
      ), 0) AS before
      FROM (${deliveries}) d
    )
    SELECT chosen.position AS delivery, a.number, a.at, a.ok, a.status, a.reason, a.detail,
      a.duration_ms
    FROM chosen
    JOIN attempts a ON a.webhook_id = chosen.webhook_id AND a.event_id = chosen.event_id
      AND a.position > chosen.before
    ORDER BY a.position + 0 DESC`
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
function toAttempt({ number, at, ok, status, reason, detail, duration_ms }: AttemptRow) {
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

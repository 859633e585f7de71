import type { Context } from '../context.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Due, Flights } from './flights.ts'

/** A delivery that this instance has taken. */
export interface Claimed extends Due {
  readonly event_id: string
  readonly attempts: bigint
  readonly body: string
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until: bigint | null
}

/** What became of deliveries that were due. */
export interface Claims {
  /** They start now. */
  readonly claimed: readonly Claimed[]
  /** Their host has enough of them. */
  readonly left: readonly Due[]
  /** How many one look found, where another may find more; else 0. */
  readonly more: number
}

/** Deliveries that one look finds at most. */
const LOOK = 16
/** Queues that one look considers: more than may wait, so that one that need not is among them. */
const LOOKED_AT = 5_000
/**
 * Milliseconds that an instance has for an attempt before another takes it for gone: it starts at once, or when a
 * connection before it has let go of its body, within a second, and ends within 15 s.
 */
const CLAIM = 60_000

/**
 * Takes deliveries that are due and have a place; other instances take others. What an inactive webhook would get is
 * dropped.
 */
export function claimDue({ store, now }: Pick<Context, 'store' | 'now'>, flights: Flights): Promise<Claims> {
  return store.write(async (queries) => {
    const at = now()
    const due = await dueAt(queries, store, at, flights.waiting)
    const dropped = due.filter((delivery) => delivery.url === null)
    const active = due.filter((delivery) => delivery.url !== null)
    const { start: claimed = [], wait: left = [] } = Object.groupBy(active, flights.plan())
    for (const { position } of dropped) await queries.run(DROP, [position])
    for (const { position } of claimed) await queries.run(TAKE, [at + CLAIM, position])
    return { claimed, left, more: due.length < LOOK ? 0 : due.length }
  })
}

/** A delivery whose webhook is inactive or deleted. */
type Dropped = Pick<Claimed, 'position'> & { readonly url: null }

const TAKE = 'UPDATE deliveries SET claimed_until = ? WHERE position = ?'
const DROP = `UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = ?`

/** The first deliveries of each queue, the one that waits longest first. */
async function dueAt(queries: Queries, { skipLocked }: Store, at: number, waiting: readonly string[]) {
  const due: (Claimed | Dropped)[] = []
  for (const { webhook_id, due_at } of await queuesBeside(queries, waiting, at)) {
    if (due.length === LOOK || Number(due_at) > at) break
    due.push(
      ...(await queries.all<Claimed | Dropped>(first(skipLocked), [webhook_id, at, at, LOOK - due.length])),
    )
  }
  return due
}

// The lock is on deliveries alone: a webhook can be changed meanwhile.
const first = (lock: string) => `
  SELECT d.position, d.event_id, d.webhook_id, d.attempts, e.body, w.url, w.secret, w.old_secret, w.old_secret_until
  FROM (
    SELECT position, event_id, webhook_id, attempts, due_at FROM deliveries
    WHERE webhook_id = ? AND due_at <= ? AND claimed_until <= ? ORDER BY due_at, position LIMIT ?${lock}
  ) d
  JOIN events e ON e.id = d.event_id
  LEFT JOIN webhooks w ON w.id = d.webhook_id AND w.status = 'active' AND w.deleted_at IS NULL
  ORDER BY d.due_at, d.position`

/** When the next delivery is due, beside those of webhooks that wait; undefined where none is. */
export async function nextDelivery(
  queries: Queries,
  waiting: readonly string[],
): Promise<number | undefined> {
  const [queue] = await queuesBeside(queries, waiting, 0)
  const claim = await queries.get<{ until: bigint | null }>(NEXT_LAPSE)
  const times = [queue?.due_at, claim?.until].flatMap((time) => (time == null ? [] : [Number(time)]))
  return times.length === 0 ? undefined : Math.min(...times)
}

const NEXT_LAPSE = 'SELECT min(claimed_until) AS until FROM deliveries WHERE claimed_until > 0'

/** A webhook with something to be delivered, and when the first of it is due. */
interface Queue {
  readonly webhook_id: string
  readonly due_at: bigint
}

/** @param at deliveries that are claimed until later do not count */
async function queuesBeside(queries: Queries, waiting: readonly string[], at: number): Promise<Queue[]> {
  const queues = await queries.all<Queue>(QUEUES, [at, at])
  const others = new Set(waiting)
  return queues.filter(({ webhook_id }) => !others.has(webhook_id))
}

const head = (column: string) => `
  SELECT d.${column} FROM deliveries d
  WHERE d.webhook_id = q.webhook_id AND d.due_at IS NOT NULL AND d.claimed_until <= ?
  ORDER BY d.due_at, d.position LIMIT 1`
// From one webhook to the next by the index: it costs as much as there are webhooks, however many deliveries wait.
const QUEUES = `
  WITH RECURSIVE queues (webhook_id) AS (
    SELECT min(webhook_id) FROM deliveries WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (SELECT min(d.webhook_id) FROM deliveries d WHERE d.due_at IS NOT NULL AND d.webhook_id > q.webhook_id)
    FROM queues q WHERE q.webhook_id IS NOT NULL
  ), heads (webhook_id, due_at, position) AS (
    SELECT webhook_id, (${head('due_at')}), (${head('position')}) FROM queues q WHERE webhook_id IS NOT NULL
  )
  SELECT webhook_id, due_at FROM heads WHERE due_at IS NOT NULL ORDER BY due_at, position LIMIT ${LOOKED_AT}`

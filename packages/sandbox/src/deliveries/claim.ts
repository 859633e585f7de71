import type { Context } from '../context.ts'
import { inOneTrip, type Queries, type Store } from '../store/store.ts'
import type { Due, Flights } from './flights.ts'
import { notHalted } from './halt.ts'
import { WAITS } from './schedule.ts'

/** A delivery that this instance has claimed. */
export interface Claimed extends Due {
  readonly event_id: string
  readonly attempts: bigint
  readonly body: string
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until: bigint | null
}

/** What happened to the deliveries that were due. */
export interface Claims {
  /** Start now. */
  readonly claimed: readonly Claimed[]
  /** Not started, because their host has the maximum in progress. */
  readonly left: readonly Due[]
  /** How many were found, if another look may find more; else 0. */
  readonly more: number
}

/** Maximum number of deliveries per look. */
const LOOK = 16
/** Queues read per look. More than the webhooks that can wait, so that at least one that is not waiting is found. */
const LOOKED_AT = 5_000
/**
 * Milliseconds that an instance has for an attempt before another instance takes the delivery over. An attempt starts
 * at once, or within a second when an earlier connection has finished reading its body, and ends within 15 s. Measured
 * by the time of the database, since the clocks of two instances may differ.
 */
const CLAIM = 60_000

/**
 * Claims deliveries that are due and whose host has capacity. Other instances claim others. Deliveries to inactive
 * webhooks are dropped.
 */
export function claimDue({ store, now }: Pick<Context, 'store' | 'now'>, flights: Flights): Promise<Claims> {
  return store.write(async (queries) => {
    const at = now()
    const due = await dueAt(queries, store, at, flights.waiting)
    const dropped = due.filter((delivery) => delivery.url === null)
    const active = due.filter((delivery) => delivery.url !== null)
    const { start: claimed = [], wait: left = [] } = Object.groupBy(active, flights.plan())
    await inOneTrip([
      ...dropped.map(({ position }) => queries.run(DROP, [position])),
      ...claimed.map(({ position }) => queries.run(take(store), [position])),
    ])
    return { claimed, left, more: due.length < LOOK ? 0 : due.length }
  })
}

export async function isAnyClaimed(store: Store): Promise<boolean> {
  const { time } = store
  const sql = `SELECT 1 AS found FROM deliveries
    WHERE claimed_until > 0 AND claimed_until > ${time} AND claimed_until <= ${time} + ${CLAIM} LIMIT 1`
  return (await store.read((queries) => queries.get(sql))) !== undefined
}

/** A delivery whose webhook is inactive or deleted. */
type Dropped = Pick<Claimed, 'position'> & { readonly url: null }

const take = ({ time }: Store) =>
  `UPDATE deliveries SET claimed_until = ${time} + ${CLAIM} WHERE position = ?`
const DROP = `UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = ?`

/** The first deliveries of each queue, longest waiting first. */
async function dueAt(queries: Queries, store: Store, at: number, waiting: readonly string[]) {
  const due: (Claimed | Dropped)[] = []
  for (const { webhook_id, due_at } of await queuesBeside(queries, store, waiting)) {
    if (due.length === LOOK || Number(due_at) > at) break
    due.push(...(await queries.all<Claimed | Dropped>(first(store), [webhook_id, at, LOOK - due.length])))
  }
  return due
}

// Locks only deliveries, so a webhook can be changed at the same time.
const first = (store: Store) => `
  SELECT d.position, d.event_id, d.webhook_id, d.attempts, e.body, w.url, w.secret, w.old_secret, w.old_secret_until
  FROM (
    SELECT position, event_id, webhook_id, attempts, due_at FROM deliveries
    WHERE webhook_id = ? AND due_at <= ? AND ${free(store)}
    ORDER BY due_at, position LIMIT ?${store.skipLocked}
  ) d
  JOIN events e ON e.id = d.event_id
  LEFT JOIN webhooks w ON w.id = d.webhook_id AND w.status = 'active' AND w.deleted_at IS NULL
  ORDER BY d.due_at, d.position`

/** Not claimed. A claim that ends later than possible means that the database clock went back. */
const free = ({ time }: Store) => `(claimed_until <= ${time} OR claimed_until > ${time} + ${CLAIM})`

/**
 * When the next delivery is due, or undefined if there is none or deliveries are halted. Ignores claimed deliveries and
 * waiting webhooks.
 */
export async function nextDelivery(store: Store, waiting: readonly string[]): Promise<number | undefined> {
  const [queue] = await store.read((queries) => queuesBeside(queries, store, waiting))
  return queue && Number(queue.due_at)
}

/** A webhook with pending deliveries, and when the first is due. */
interface Queue {
  readonly webhook_id: string
  readonly due_at: bigint
}

async function queuesBeside(queries: Queries, store: Store, waiting: readonly string[]): Promise<Queue[]> {
  const queues = await queries.all<Queue>(queuesOf(store))
  const others = new Set(waiting)
  return queues.filter(({ webhook_id }) => !others.has(webhook_id))
}

const head = (store: Store, column: string) => `
  SELECT d.${column} FROM deliveries d
  WHERE d.webhook_id = q.webhook_id AND d.due_at IS NOT NULL AND ${free(store)}
  ORDER BY d.due_at, d.position LIMIT 1`
// Jumps from webhook to webhook by the index, so the cost depends on the number of webhooks, not of deliveries.
const QUEUES = `
  queues (webhook_id) AS (
    SELECT min(webhook_id) FROM deliveries WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (SELECT min(d.webhook_id) FROM deliveries d WHERE d.due_at IS NOT NULL AND d.webhook_id > q.webhook_id)
    FROM queues q WHERE q.webhook_id IS NOT NULL
  )`
// A halt is committed by an exclusive transaction, so none begins between this statement and the claims after it.
const queuesOf = (store: Store) => `
  WITH RECURSIVE ${QUEUES}, heads (webhook_id, due_at, position) AS (
    SELECT webhook_id, (${head(store, 'due_at')}), (${head(store, 'position')}) FROM queues q WHERE webhook_id IS NOT NULL
  )
  SELECT webhook_id, due_at FROM heads WHERE due_at IS NOT NULL AND ${notHalted(store)}
  ORDER BY due_at, position LIMIT ${LOOKED_AT}`

/**
 * Shortens waits that are longer than the schedule allows after that many attempts. They occur when the clock goes
 * back.
 */
export async function shortenDeliveries({ store, now }: Pick<Context, 'store' | 'now'>): Promise<void> {
  const latest = `CAST(? AS BIGINT) + CASE attempts ${WAITS.map((ms, i) => `WHEN ${i + 1} THEN ${ms}`).join(' ')} ELSE 0 END`
  // Goes queue by queue, so that an index finds the waiting deliveries.
  const sql = `WITH RECURSIVE ${QUEUES}
    UPDATE deliveries SET due_at = ${latest} WHERE position IN (
      SELECT d.position FROM queues q JOIN deliveries d ON d.webhook_id = q.webhook_id AND d.due_at > ?
    ) AND due_at > ${latest}`
  await store.write((queries) => queries.run(sql, [now(), now(), now()]))
}

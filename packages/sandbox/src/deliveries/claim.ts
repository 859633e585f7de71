import type { Context } from '../context.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Due, Flights } from './flights.ts'
import { notHalted } from './halt.ts'
import { WAITS } from './schedule.ts'

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
/** Queues that one look reads. More than the webhooks that can wait, so that one that does not wait is among them. */
const LOOKED_AT = 5_000
/**
 * Milliseconds that an instance has for an attempt before another takes it for gone: it starts at once, or when a
 * connection before it has let go of its body, within a second, and ends within 15 s. They pass by the time of the
 * database, since the clocks of two instances may differ by more.
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
    for (const { position } of claimed) await queries.run(take(store), [position])
    return { claimed, left, more: due.length < LOOK ? 0 : due.length }
  })
}

/** Whether any instance has claimed a delivery. */
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

/** The first deliveries of each queue, the one that waits longest first. */
async function dueAt(queries: Queries, store: Store, at: number, waiting: readonly string[]) {
  const due: (Claimed | Dropped)[] = []
  for (const { webhook_id, due_at } of await queuesBeside(queries, store, waiting)) {
    if (due.length === LOOK || Number(due_at) > at) break
    due.push(...(await queries.all<Claimed | Dropped>(first(store), [webhook_id, at, LOOK - due.length])))
  }
  return due
}

// The lock is on deliveries alone: a webhook can be changed meanwhile.
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

/** Not claimed. A claim that ends later than any can is of a database whose clock went back. */
const free = ({ time }: Store) => `(claimed_until <= ${time} OR claimed_until > ${time} + ${CLAIM})`

/**
 * When the next delivery is due, without those that are claimed and those of webhooks that wait; undefined where there is
 * none, and while deliveries are halted.
 */
export async function nextDelivery(store: Store, waiting: readonly string[]): Promise<number | undefined> {
  const [queue] = await store.read((queries) => queuesBeside(queries, store, waiting))
  return queue && Number(queue.due_at)
}

/** A webhook with something to be delivered, and when the first of it is due. */
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
// From one webhook to the next by the index: it costs as much as there are webhooks, however many deliveries wait.
const QUEUES = `
  queues (webhook_id) AS (
    SELECT min(webhook_id) FROM deliveries WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (SELECT min(d.webhook_id) FROM deliveries d WHERE d.due_at IS NOT NULL AND d.webhook_id > q.webhook_id)
    FROM queues q WHERE q.webhook_id IS NOT NULL
  )`
// A halt is committed by a transaction alone, so none begins between this statement and the claims after it.
const queuesOf = (store: Store) => `
  WITH RECURSIVE ${QUEUES}, heads (webhook_id, due_at, position) AS (
    SELECT webhook_id, (${head(store, 'due_at')}), (${head(store, 'position')}) FROM queues q WHERE webhook_id IS NOT NULL
  )
  SELECT webhook_id, due_at FROM heads WHERE due_at IS NOT NULL AND ${notHalted(store)}
  ORDER BY due_at, position LIMIT ${LOOKED_AT}`

/**
 * Shortens every wait that is longer than the schedule allows after that many attempts. Such waits remain when the clock
 * goes back.
 */
export async function shortenDeliveries({ store, now }: Pick<Context, 'store' | 'now'>): Promise<void> {
  const latest = `CAST(? AS BIGINT) + CASE attempts ${WAITS.map((ms, i) => `WHEN ${i + 1} THEN ${ms}`).join(' ')} ELSE 0 END`
  // Queue by queue, so that an index finds what waits.
  const sql = `WITH RECURSIVE ${QUEUES}
    UPDATE deliveries SET due_at = ${latest} WHERE position IN (
      SELECT d.position FROM queues q JOIN deliveries d ON d.webhook_id = q.webhook_id AND d.due_at > ?
    ) AND due_at > ${latest}`
  await store.write((queries) => queries.run(sql, [now(), now(), now()]))
}

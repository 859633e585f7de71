import type { Context } from '../context.ts'
import type { Store } from '../store/store.ts'
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
/**
 * Milliseconds that an instance has for an attempt before another takes it for gone: it starts at once, or when a
 * connection before it has let go of its body, within a second, and ends within 15 s. They pass by the time of the
 * database, since the clocks of two instances may differ by more.
 */
const CLAIM = 60_000

/** Takes deliveries that are due and have a place; other instances take others. What an inactive webhook would get is dropped. */
export function claimDue({ store, now }: Pick<Context, 'store' | 'now'>, flights: Flights): Promise<Claims> {
  return store.write(async (queries) => {
    const at = now()
    const { waiting } = flights
    const values = [at, ...padded(waiting)]
    const due = await queries.all<Claimed | Dropped>(dueBeside(waiting, store), values)
    const dropped = due.filter((delivery) => delivery.url === null)
    const active = due.filter((delivery) => delivery.url !== null)
    const { start: claimed = [], wait: left = [] } = Object.groupBy(active, flights.plan())
    for (const { position } of dropped) await queries.run(DROP, [position])
    for (const { position } of claimed) await queries.run(take(store), [position])
    return { claimed, left, more: due.length < LOOK ? 0 : due.length }
  })
}

/** Whether any instance is at a delivery. */
export async function isAnyClaimed(store: Store): Promise<boolean> {
  const { time } = store
  const sql = `SELECT 1 AS found FROM deliveries
    WHERE claimed_until > 0 AND claimed_until > ${time} AND claimed_until <= ${time} + ${CLAIM} LIMIT 1`
  return (await store.read((queries) => queries.get(sql))) !== undefined
}

/** A delivery whose webhook is inactive or deleted. */
type Dropped = Pick<Claimed, 'position'> & { readonly url: null }

// The lock is on deliveries alone: a webhook can be changed meanwhile.
const dueBeside = (waiting: readonly string[], store: Store) => `
  SELECT d.position, d.event_id, d.webhook_id, d.attempts, e.body, w.url, w.secret, w.old_secret, w.old_secret_until
  FROM (
    SELECT position, event_id, webhook_id, attempts, due_at FROM deliveries
    WHERE due_at <= ? AND ${free(store)} AND ${notHalted(store)}${beside(waiting)} ORDER BY due_at, position LIMIT ${LOOK}${store.skipLocked}
  ) d
  JOIN events e ON e.id = d.event_id
  LEFT JOIN webhooks w ON w.id = d.webhook_id AND w.status = 'active' AND w.deleted_at IS NULL
  ORDER BY d.due_at, d.position`
const take = ({ time }: Store) =>
  `UPDATE deliveries SET claimed_until = ${time} + ${CLAIM} WHERE position = ?`
const DROP = `UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = ?`

/** Not claimed. A claim that ends later than any can is of a database whose clock went back. */
const free = ({ time }: Store) => `(claimed_until <= ${time} OR claimed_until > ${time} + ${CLAIM})`

/** Leaves out webhooks. */
function beside(webhooks: readonly string[]): string {
  const { length } = padded(webhooks)
  return length === 0 ? '' : ` AND webhook_id NOT IN (${Array(length).fill('?').join(', ')})`
}

/** To a power of two: each length makes another statement, and those are prepared and kept. */
function padded(webhooks: readonly string[]): string[] {
  const length = webhooks.length && 2 ** Math.ceil(Math.log2(webhooks.length))
  return [...webhooks, ...Array(length - webhooks.length).fill('')]
}

/** When the next delivery is due, beside those of webhooks that wait and those that are claimed; undefined where none is. */
export async function nextDelivery(store: Store, waiting: readonly string[]): Promise<number | undefined> {
  const sql = `SELECT min(due_at) AS due_at FROM deliveries
    WHERE due_at IS NOT NULL AND ${free(store)}${beside(waiting)}`
  const row = await store.read((queries) => queries.get<{ due_at: bigint | null }>(sql, padded(waiting)))
  return row?.due_at == null ? undefined : Number(row.due_at)
}

/**
 * Shortens every wait that is longer than the schedule's after so many attempts, as it is once the clock went back: it
 * begins anew then.
 */
export async function shortenDeliveries({ store, now }: Pick<Context, 'store' | 'now'>): Promise<void> {
  const latest = `CAST(? AS BIGINT) + CASE attempts ${WAITS.map((ms, i) => `WHEN ${i + 1} THEN ${ms}`).join(' ')} ELSE 0 END`
  // By the first comparison, an index finds what waits.
  const sql = `UPDATE deliveries SET due_at = ${latest} WHERE due_at > ? AND due_at > ${latest}`
  await store.write((queries) => queries.run(sql, [now(), now(), now()]))
}

import { DELIVERIES } from '../behaviour.ts'
import type { Context } from '../context.ts'
import { inOneTrip, type Queries, type Store } from '../store/store.ts'
import type { WebhookRow } from '../webhooks.ts'
import { type Due, type Flights, laneOf } from './flights.ts'
import { notHalted } from './halt.ts'

export interface Claimed
  extends Due,
    Pick<WebhookRow, 'url' | 'secret' | 'old_secret' | 'old_secret_until'> {
  readonly event_id: string
  readonly webhook_id: string
  readonly attempts: bigint
  readonly body: string
}

/** Maximum number of deliveries per look. */
const LOOK = 16
/** Lanes read per look. */
const LOOKED_AT = 5_000
/**
 * Milliseconds that an instance has for an attempt before another instance takes the delivery over.
 * An attempt starts at once, and ends within 16 s. Measured by the time of the database, since the
 * clocks of two instances may differ.
 */
const CLAIM = 60_000

/**
 * Claims deliveries that are due and whose host has capacity. Other instances claim others.
 * Deliveries to inactive webhooks are dropped. `more` is how many were found, if another look may
 * find more; else 0.
 */
export function claimDue({ store, now }: Pick<Context, 'store' | 'now'>, flights: Flights) {
  return store.write(async (queries) => {
    const at = now()
    const lanes = (await queries.all<Lane>(waitingLanes(store))).filter(
      ({ due_at }) => Number(due_at) <= at,
    )
    const chosen = [...flights.choose(lanes, LOOK)]
    const firsts = chosen.map(([lane, count]) =>
      queries.all<FoundDelivery>(first(store), [lane, at, count]),
    )
    const found = (await inOneTrip(firsts)).flat()
    const claimed = found.filter(isCurrent).filter(({ position }) => !flights.has(position))
    const stale = found.filter((delivery) => !isCurrent(delivery))
    await inOneTrip([
      ...claimed.map(({ position }) => queries.run(take(store), [position])),
      ...stale.map((delivery) => tidy(queries, delivery)),
    ])
    const isLimited = chosen.reduce((sum, [, count]) => sum + count, 0) === LOOK
    return { claimed, more: stale.length + (isLimited ? claimed.length : 0) }
  })
}

export async function isAnyClaimed(store: Store): Promise<boolean> {
  const { time } = store
  const sql = `SELECT 1 AS found FROM deliveries
    WHERE claimed_until > 0 AND claimed_until > ${time} AND claimed_until <= ${time} + ${CLAIM} LIMIT 1`
  return (await store.read((queries) => queries.get(sql))) !== undefined
}

/** A delivery that was found, to a webhook that may have changed since the event. */
interface FoundDelivery extends Omit<Claimed, 'url'> {
  readonly partner_id: string
  /** Null if the webhook is inactive or deleted. */
  readonly url: string | null
}

function isCurrent(found: FoundDelivery): found is FoundDelivery & Claimed {
  const { lane, partner_id, url } = found
  return url !== null && lane === laneOf({ partner_id, url })
}

/** Drops a delivery of an inactive webhook, or moves it to the lane of its webhook. */
function tidy(queries: Queries, { position, partner_id, url }: FoundDelivery): Promise<number> {
  if (url === null) return queries.run(DROP, [position])
  return queries.run(MOVE, [laneOf({ partner_id, url }), position])
}

const take = ({ time }: Store) =>
  `UPDATE deliveries SET claimed_until = ${time} + ${CLAIM} WHERE position = ?`
const DROP = `UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = ?`
const MOVE = 'UPDATE deliveries SET lane = ? WHERE position = ?'

/**
 * The first deliveries of a lane, longest waiting first. Locks only deliveries, so a webhook can be
 * changed meanwhile.
 */
const first = (store: Store) => `
  SELECT d.position, d.lane, d.event_id, d.webhook_id, d.attempts, e.body,
    w.partner_id, w.secret, w.old_secret, w.old_secret_until,
    CASE WHEN w.status = 'active' AND w.deleted_at IS NULL THEN w.url END AS url
  FROM (
    SELECT position, lane, event_id, webhook_id, attempts, due_at FROM deliveries
    WHERE lane = ? AND due_at <= ? AND ${free(store)}
    ORDER BY due_at, position LIMIT ?${store.skipLocked}
  ) d
  JOIN events e ON e.id = d.event_id
  JOIN webhooks w ON w.id = d.webhook_id
  ORDER BY d.due_at, d.position`

/** Not claimed. A claim that ends later than possible means that the database clock went back. */
const free = ({ time }: Store) => `(claimed_until <= ${time} OR claimed_until > ${time} + ${CLAIM})`

/**
 * When the next delivery that can start is due, or undefined if there is none or deliveries are
 * halted. Ignores claimed deliveries.
 */
export async function nextDelivery(store: Store, flights: Flights): Promise<number | undefined> {
  const lanes = await store.read((queries) => queries.all<Lane>(waitingLanes(store)))
  const next = lanes.find(flights.canStart)
  return next && Number(next.due_at)
}

/** A lane with pending deliveries, and the first of them. */
interface Lane extends Due {
  readonly due_at: bigint
}

const head = (store: Store, column: string) => `
  SELECT d.${column} FROM deliveries d
  WHERE d.lane = l.lane AND d.due_at IS NOT NULL AND ${free(store)}
  ORDER BY d.due_at, d.position LIMIT 1`
// Jumps from lane to lane by the index, so the cost depends on the number of lanes, not of
// deliveries.
const LANES = `
  lanes (lane) AS (
    SELECT min(lane) FROM deliveries WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (SELECT min(d.lane) FROM deliveries d WHERE d.due_at IS NOT NULL AND d.lane > l.lane)
    FROM lanes l WHERE l.lane IS NOT NULL
  )`
// A halt is committed by an exclusive transaction, so none begins between this statement and the
// claims after it.
const waitingLanes = (store: Store) => `
  WITH RECURSIVE ${LANES}, heads (lane, due_at, position) AS (
    SELECT lane, (${head(store, 'due_at')}), (${head(store, 'position')}) FROM lanes l WHERE lane IS NOT NULL
  )
  SELECT lane, due_at, position FROM heads WHERE due_at IS NOT NULL AND ${notHalted(store)}
  ORDER BY due_at, position LIMIT ${LOOKED_AT}`

/**
 * Shortens waits that are longer than the schedule allows after that many attempts. They occur when
 * the clock goes back.
 */
export async function shortenDeliveries({
  store,
  now,
}: Pick<Context, 'store' | 'now'>): Promise<void> {
  const latest = `CAST(? AS BIGINT) + CASE attempts ${DELIVERIES.waits.map((ms, i) => `WHEN ${i + 1} THEN ${ms}`).join(' ')} ELSE 0 END`
  // Goes lane by lane, so that an index finds the waiting deliveries.
  const sql = `WITH RECURSIVE ${LANES}
    UPDATE deliveries SET due_at = ${latest} WHERE position IN (
      SELECT d.position FROM lanes l JOIN deliveries d ON d.lane = l.lane AND d.due_at > ?
    ) AND due_at > ${latest}`
  await store.write((queries) => queries.run(sql, [now(), now(), now()]))
}

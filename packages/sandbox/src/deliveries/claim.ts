import { setImmediate } from 'node:timers/promises'
import { deliverySettings } from '../behaviour.ts'
import type { Context } from '../context.ts'
import { bind, type Queries, type Store, sendInOneTrip } from '../store/store.ts'
import type { WebhookRow } from '../webhooks.ts'
import { notHaltedCondition } from './halt.ts'
import { type DeliveriesInProgress, type Due, nameLane } from './in-progress.ts'

export interface Claimed
  extends Due,
    Pick<WebhookRow, 'url' | 'secret' | 'old_secret' | 'old_secret_until'> {
  readonly event_id: string
  readonly webhook_id: string
  readonly attempts: bigint
  readonly body: string
}

/** Maximum number of deliveries per look. */
const MAX_DELIVERIES = 16
/** Maximum number of lanes read per look. */
const MAX_LANES = 5_000
/**
 * Milliseconds that an instance has for an attempt before another instance takes the delivery over.
 * An attempt starts at once, and ends within 16 s. Measured by the time of the database, since the
 * clocks of two instances may differ.
 */
const CLAIM_MS = 60_000

/** What {@link claimDue} returns. */
interface Claims {
  /** The deliveries that this instance attempts now. */
  readonly claimed: readonly Claimed[]
  /** More than 0 if another call may find deliveries that it can start. */
  readonly more: number
}

/**
 * Claims the deliveries that this instance attempts next, so that other instances leave them alone
 * for a minute: those that are due, and whose receivers have capacity. Those whose webhook was
 * changed are corrected instead.
 *
 * @param inProgress counts the deliveries that this instance has in progress
 */
export function claimDue(
  { store, now }: Pick<Context, 'store' | 'now'>,
  inProgress: DeliveriesInProgress,
): Promise<Claims> {
  return store.write(async (queries) => {
    const at = now()
    const countsByLane = await chooseCountsByLane(queries, store, inProgress, at)
    const deliveries = await readDueDeliveries(queries, store, { countsByLane, at })

    const current = deliveries.filter(isCurrent)
    // A claim may have expired while this instance still attempts the delivery.
    const claimed = current.filter(({ position }) => !inProgress.has(position))
    const claims = claimed.map(({ position }) => queries.run(claimStatement(store), [position]))

    const changed = deliveries.filter((delivery) => !isCurrent(delivery))
    const corrections = changed.map((delivery) => dropOrMove(queries, delivery))
    await sendInOneTrip([...claims, ...corrections])

    const wasLimited = sum(countsByLane.values()) === MAX_DELIVERIES
    // Another call finds the changed ones in the lanes of their new URLs. If this one took as many
    // as it may, there may be others.
    const more = wasLimited ? changed.length + claimed.length : changed.length
    return { claimed, more }
  })
}

/**
 * How many due deliveries of each lane start now, as the capacity of their receivers allows. A lane
 * is the queue of the deliveries of one partner to one origin.
 */
async function chooseCountsByLane(
  queries: Queries,
  store: Store,
  inProgress: DeliveriesInProgress,
  at: number,
): Promise<ReadonlyMap<string, number>> {
  const waitingLanes = await queries.all<Lane>(selectWaitingLanes(store))
  const dueLanes = waitingLanes.filter(({ due_at }) => Number(due_at) <= at)
  return inProgress.choose(dueLanes, MAX_DELIVERIES)
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

/**
 * Reads the deliveries of each lane that have been due for the longest time: as many of a lane as
 * `countsByLane` says.
 */
async function readDueDeliveries(
  queries: Queries,
  store: Store,
  { countsByLane, at }: { readonly countsByLane: ReadonlyMap<string, number>; readonly at: number },
): Promise<FoundDelivery[]> {
  const sql = selectDueDeliveries(store)
  const reads = Array.from(countsByLane, ([lane, count]) =>
    queries.all<FoundDelivery>(...bind(sql, { lane, at, count })),
  )
  const deliveriesByLane = await sendInOneTrip(reads)
  return deliveriesByLane.flat()
}

/** A delivery that was found, to a webhook that may have changed since the event. */
interface FoundDelivery extends Omit<Claimed, 'url'> {
  readonly partner_id: string
  /** Null if the webhook is inactive or deleted. */
  readonly url: string | null
}

/**
 * Whether the webhook of a delivery is active, and the delivery is in the lane of its URL. It is
 * not after the webhook was changed.
 */
function isCurrent(delivery: FoundDelivery): delivery is FoundDelivery & Claimed {
  const { lane, partner_id, url } = delivery
  return url !== null && lane === nameLane({ partner_id, url })
}

/**
 * Corrects a delivery whose webhook was changed: drops it if the webhook is inactive (`url` is
 * null), or else moves it to the lane of the new URL. A lane is the queue of the deliveries of one
 * partner to one origin.
 */
function dropOrMove(
  queries: Queries,
  { position, partner_id, url }: FoundDelivery,
): Promise<number> {
  if (url === null) return queries.run(DROP_DELIVERY, [position])
  const lane = nameLane({ partner_id, url })
  return queries.run(...bind(MOVE_TO_LANE, { position, lane }))
}

const DROP_DELIVERY = `UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = ?`
const MOVE_TO_LANE = 'UPDATE deliveries SET lane = :lane WHERE position = :position'

function claimStatement({ time }: Store): string {
  return `UPDATE deliveries SET claimed_until = ${time} + ${CLAIM_MS} WHERE position = ?`
}

/**
 * The SQL that selects the first `:count` deliveries of the lane `:lane` that are due at the time
 * `:at`, longest waiting first. `url` is null if the webhook is inactive. Leaves out what another
 * instance has locked (`skipLocked`) or claimed. Locks only deliveries, so a webhook can be changed
 * meanwhile.
 */
function selectDueDeliveries(store: Store): string {
  return `
    SELECT d.position, d.lane, d.event_id, d.webhook_id, d.attempts, e.body,
      w.partner_id, w.secret, w.old_secret, w.old_secret_until,
      CASE WHEN w.status = 'active' AND w.deleted_at IS NULL THEN w.url END AS url
    FROM (
      SELECT position, lane, event_id, webhook_id, attempts, due_at FROM deliveries
      WHERE lane = :lane AND due_at <= :at AND ${unclaimedCondition(store)}
      ORDER BY due_at, position LIMIT :count${store.skipLocked}
    ) d
    JOIN events e ON e.id = d.event_id
    JOIN webhooks w ON w.id = d.webhook_id
    ORDER BY d.due_at, d.position`
}

/**
 * An SQL condition: a delivery is not claimed. A claim that ends later than possible means that the
 * database clock went back.
 */
function unclaimedCondition({ time }: Store): string {
  return `(claimed_until <= ${time} OR claimed_until > ${time} + ${CLAIM_MS})`
}

/**
 * Whether any instance has a delivery in progress: one that is claimed now. A claim lasts a minute.
 * One that ends later was made before the time was set back, and does not count.
 */
export async function isAnyClaimed(store: Store): Promise<boolean> {
  const { time } = store
  // The first condition is that of the partial index, without which all deliveries are read.
  const sql = `
    SELECT 1 AS is_claimed FROM deliveries
    WHERE claimed_until > 0
      AND claimed_until > ${time} AND claimed_until <= ${time} + ${CLAIM_MS}
    LIMIT 1`
  const row = await store.read((queries) => queries.get(sql))
  return row !== undefined
}

/**
 * Releases the claims that an earlier process left when it was killed, so that its deliveries do not
 * wait for their end. Call it at the start, and only if no other instance can have the state.
 */
export async function releaseLeftClaims(queries: Queries): Promise<void> {
  await queries.run('UPDATE deliveries SET claimed_until = 0 WHERE claimed_until > 0')
}

/**
 * When the next delivery that can start is due, or undefined if there is none or deliveries are
 * halted. Ignores claimed deliveries.
 */
export async function nextDelivery(
  store: Store,
  inProgress: DeliveriesInProgress,
): Promise<number | undefined> {
  // Each with its first delivery, the longest waiting one first.
  const lanes = await store.read((queries) => queries.all<Lane>(selectWaitingLanes(store)))
  for (const lane of lanes) {
    if (inProgress.canStart(lane)) return Number(lane.due_at)
  }
  return undefined
}

/** A lane with pending deliveries, and the first of them. */
interface Lane extends Due {
  readonly due_at: bigint
}

/**
 * The SQL that selects the lanes with a pending delivery that no instance has claimed, longest
 * waiting first, each with the `due_at` and `position` of its first such delivery. A lane is the
 * queue of the deliveries of one partner to one origin.
 *
 * Selects nothing while deliveries are halted, as during a reset. Only an exclusive transaction can
 * halt them, so no halt begins between this statement and the claims of its transaction.
 */
function selectWaitingLanes(store: Store): string {
  return `
    WITH RECURSIVE ${LANES}, heads (lane, due_at, position) AS (
      SELECT lane, (${selectFirstOfLane(store, 'due_at')}), (${selectFirstOfLane(store, 'position')})
      FROM lanes l WHERE lane IS NOT NULL
    )
    SELECT lane, due_at, position FROM heads
    WHERE due_at IS NOT NULL AND ${notHaltedCondition(store)}
    ORDER BY due_at, position LIMIT ${MAX_LANES}`
}

/**
 * All lanes with pending deliveries. Jumps from lane to lane by the index, so the cost depends on
 * the number of lanes, not of deliveries.
 */
const LANES = `
  lanes (lane) AS (
    SELECT min(lane) FROM deliveries WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (SELECT min(d.lane) FROM deliveries d WHERE d.due_at IS NOT NULL AND d.lane > l.lane)
    FROM lanes l WHERE l.lane IS NOT NULL
  )`

/** A column of the first delivery of the lane `l`. */
function selectFirstOfLane(store: Store, column: 'due_at' | 'position'): string {
  return `
    SELECT d.${column} FROM deliveries d
    WHERE d.lane = l.lane AND d.due_at IS NOT NULL AND ${unclaimedCondition(store)}
    ORDER BY d.due_at, d.position LIMIT 1`
}

/**
 * Makes deliveries due earlier that wait longer than the schedule allows after their number of
 * attempts. They occur when the clock goes back. Reads a few hundred at a time, since thousands may
 * wait.
 */
export async function shortenDeliveries({
  store,
  now,
}: Pick<Context, 'store' | 'now'>): Promise<void> {
  const at = now()
  let place: Place = BEFORE_ALL
  while (true) {
    const page = await readWaitingAfter(store, place)
    const tooLong = page.filter((delivery) => Number(delivery.due_at) > latestDueTime(delivery, at))
    if (tooLong.length > 0) await shortenWaits(store, tooLong, at)

    const lastOfPage = page.at(-1)
    const isLastPage = page.length < MAX_WAITING
    if (isLastPage || !lastOfPage) return

    place = lastOfPage
    // SQLite reads without a pause.
    await setImmediate()
  }
}

/** Reads one page of the waiting deliveries: those that come after a place in their index. */
function readWaitingAfter(
  store: Store,
  { lane, due_at, position }: Place,
): Promise<readonly Waiting[]> {
  const statement = bind(WAITING_AFTER_PLACE, { lane, due_at, position })
  return store.read((queries) => queries.all<Waiting>(...statement))
}

/** Where a delivery is in the index of those that wait. */
interface Place {
  readonly lane: string
  readonly due_at: bigint
  readonly position: bigint
}

interface Waiting extends Place {
  readonly attempts: bigint
}

const BEFORE_ALL: Place = { lane: '', due_at: 0n, position: 0n }

/** Maximum number of waiting deliveries that are read at once. */
const MAX_WAITING = 500

/** The deliveries after a place, in the order of their index. */
const WAITING_AFTER_PLACE = `
  SELECT lane, due_at, position, attempts FROM deliveries
  WHERE due_at IS NOT NULL AND (lane, due_at, position) > (:lane, :due_at, :position)
  ORDER BY lane, due_at, position LIMIT ${MAX_WAITING}`

/**
 * The latest time to which a delivery may wait: after one failed attempt, the first of the waits.
 */
function latestDueTime({ attempts }: Waiting, now: number): number {
  const waitMs = deliverySettings().waitsMs[Number(attempts) - 1] ?? 0
  return now + waitMs
}

/**
 * Makes deliveries due at the latest time that their number of attempts allows, all in one
 * transaction.
 */
async function shortenWaits(store: Store, tooLong: readonly Waiting[], now: number): Promise<void> {
  await store.write((queries) => {
    const updates = tooLong.map((delivery) => {
      const { position, attempts } = delivery
      const latest = latestDueTime(delivery, now)
      return queries.run(...bind(SHORTEN_WAIT, { position, attempts, latest }))
    })
    return sendInOneTrip(updates)
  })
}

/** An attempt that ended meanwhile has set another time. */
const SHORTEN_WAIT = `
  UPDATE deliveries SET due_at = :latest
  WHERE position = :position AND attempts = :attempts AND due_at > :latest`

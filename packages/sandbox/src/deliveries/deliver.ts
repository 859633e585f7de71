import { sign } from '@partner-payments/webhooks'
import { DELIVERIES } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { Duty, Launch } from '../due/loop.ts'
import type { Delivery, Received } from './attempt.ts'
import { type Claimed, claimDue, nextDelivery, shortenDeliveries } from './claim.ts'
import { createFlights } from './flights.ts'
import { createHaltWatch } from './halt.ts'
import { DeliveryFailure, type Outcome } from './outcome.ts'
import type { Poster } from './post.ts'

/** A finished attempt, for logs and metrics. */
export interface Attempted {
  readonly event_id: string
  readonly webhook_id: string
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly outcome: Outcome
  /** Whether it was the last attempt, and failed. */
  readonly isDead: boolean
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
}

/** The request that was sent, and the response. */
export interface Sent extends Delivery {
  readonly received?: Received | undefined
}

export interface DeliveryMeans extends Pick<Context, 'store' | 'now'> {
  readonly poster: Poster
  readonly observe?: (attempted: Attempted) => void
  /** Keeps the request and response. Separate from `observe`, whose data may be logged. */
  readonly keep?: ((attempted: Attempted, sent: Sent) => void) | undefined
  /** Whether to fail the next attempt without sending it. */
  readonly failsDelivery?: (() => boolean) | undefined
}

/**
 * Delivers events in the background. Attempts run independently, so a slow receiver delays no
 * other.
 */
export function createDeliveries(means: DeliveryMeans): Duty {
  const flights = createFlights(means.poster.limits)
  const cuts = new Set<AbortController>()
  const abandon = () => {
    for (const cut of cuts)
      cut.abort(new DeliveryFailure('abandoned', 'the state was reset before a response'))
  }
  const watchForHalt = createHaltWatch(means.store, () => cuts.size > 0, abandon)

  function fly(delivery: Claimed, launch: Launch): void {
    const at = means.now()
    const cut = new AbortController()
    cuts.add(cut)
    const attempt = attemptOf(means, delivery, at, cut)
    const posted = attempt.then(({ outcome }) => outcome)
    const concluded = attempt.then((made) =>
      isCutShort(made.outcome) ? release(means, delivery) : record(means, delivery, at, made),
    )
    launch(flights.track(delivery, posted, concluded).finally(() => cuts.delete(cut)))
    // The host has capacity again while the outcome is being written.
    launch(posted.then(nothing, nothing))
  }

  return {
    async run(launch) {
      if (flights.isFull) return 0
      const { claimed, more } = await claimDue(means, flights)
      for (const delivery of claimed) fly(delivery, launch)
      watchForHalt()
      return more
    },
    // If nothing can start, the loop wakes when a delivery in progress ends.
    next: async () => (flights.isFull ? undefined : nextDelivery(means.store, flights)),
    rewind: () => shortenDeliveries(means),
    abandon,
  }
}

type Made = Awaited<ReturnType<typeof attemptOf>>

async function attemptOf(
  means: DeliveryMeans,
  delivery: Claimed,
  at: number,
  cut: AbortController,
) {
  if (means.failsDelivery?.()) return { outcome: FAULT }
  const { body, url } = delivery
  const signed = await sign(body, secretsAt(delivery, at), { id: delivery.event_id, now: () => at })
  const sent = { url, headers: { 'content-type': 'application/json', ...signed }, body }
  const { outcome, received } = await means.poster.post(sent, cut)
  return { outcome, sent: { ...sent, received } }
}

const FAULT: Outcome = {
  ok: false,
  reason: 'fault',
  detail: 'a fault rule of the sandbox failed this attempt, and nothing was sent',
  durationMs: 0,
}

const nothing = () => {}

/**
 * Whether the sandbox itself ended the attempt. Such an attempt does not count, and the delivery is
 * tried again if it still exists.
 */
function isCutShort(outcome: Outcome): boolean {
  return !outcome.ok && ['closed', 'abandoned'].includes(outcome.reason)
}

/** Releases the claim, so that any instance can take the delivery. */
async function release({ store }: DeliveryMeans, { event_id, webhook_id }: Claimed): Promise<void> {
  await store.write((queries) => queries.run(RELEASE, [event_id, webhook_id]))
}

/** The current secret, and the previous one while both are valid. */
function secretsAt(
  { secret, old_secret, old_secret_until }: Claimed,
  at: number,
): [string, ...string[]] {
  return old_secret !== null && Number(old_secret_until) > at ? [secret, old_secret] : [secret]
}

async function record(
  means: DeliveryMeans,
  delivery: Claimed,
  at: number,
  { outcome, sent }: Made,
): Promise<void> {
  const { store, now, observe, keep } = means
  const { event_id, webhook_id } = delivery
  const number = Number(delivery.attempts) + 1
  const due = outcome.ok ? null : nextAttempt(number, now())
  const status = outcome.ok ? 'delivered' : due === null ? 'dead' : 'pending'
  const reason = outcome.ok ? '' : outcome.reason
  const detail = outcome.ok ? '' : outcome.detail
  const duration = Math.round(outcome.durationMs)
  const key = [event_id, webhook_id]
  const isCurrent = await store.write(async (queries) => {
    const values = [
      number,
      at,
      outcome.ok ? 1 : 0,
      outcome.status ?? null,
      reason,
      detail,
      duration,
    ]
    // If a reset removed the delivery meanwhile, write nothing.
    if ((await queries.run(ATTEMPT, [...values, ...key])) === 0) return undefined
    const counted = await queries.run(ATTEMPTED, [number, ...key, delivery.attempts])
    // A delivery that was redelivered meanwhile keeps all its attempts, unless this one succeeded.
    const isCurrent = outcome.ok || counted > 0
    await queries.run(isCurrent ? UPDATE : RELEASE, isCurrent ? [status, due, ...key] : key)
    return isCurrent
  })
  if (isCurrent === undefined) return
  const isDead = isCurrent && status === 'dead'
  const attempted = { event_id, webhook_id, attempt: number, outcome, isDead, at }
  if (sent) keep?.(attempted, sent)
  observe?.(attempted)
}

/** When to try again after this many failed attempts, or null after the last. */
function nextAttempt(attempts: number, now: number): number | null {
  const wait = DELIVERIES.waits[attempts - 1]
  return wait === undefined ? null : now + wait
}

const ATTEMPT = `
  INSERT INTO attempts (event_id, webhook_id, number, at, ok, status, reason, detail, duration_ms)
  SELECT event_id, webhook_id, ?, ?, ?, ?, ?, ?, ? FROM deliveries WHERE event_id = ? AND webhook_id = ?`
const ATTEMPTED =
  'UPDATE deliveries SET attempts = ? WHERE event_id = ? AND webhook_id = ? AND attempts = ?'
const RELEASE = 'UPDATE deliveries SET claimed_until = 0 WHERE event_id = ? AND webhook_id = ?'
// A delivery that was dropped meanwhile stays dropped.
const UPDATE = `
  UPDATE deliveries SET status = ?, due_at = ?, claimed_until = 0
  WHERE event_id = ? AND webhook_id = ? AND status = 'pending'`

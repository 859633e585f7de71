import { sign } from '@partner-payments/webhooks'
import type { Context } from '../context.ts'
import type { Duty, Launch } from '../due/loop.ts'
import type { Received } from './attempt.ts'
import { type Claimed, claimDue, nextDelivery, shortenDeliveries } from './claim.ts'
import { createFlights } from './flights.ts'
import { createHaltWatch } from './halt.ts'
import { abandonedFailure, type Outcome } from './outcome.ts'
import type { Poster } from './post.ts'
import { nextAttempt } from './schedule.ts'

/** An attempt that was made; for logs and metrics. */
export interface Attempted {
  readonly event_id: string
  readonly webhook_id: string
  /** 1 for the first. */
  readonly attempt: number
  readonly outcome: Outcome
  /** Whether it was the last, and failed. */
  readonly isDead: boolean
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
}

/** What left, and what came back. */
export interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  received?: Received
}

interface Means extends Pick<Context, 'store' | 'now'> {
  readonly poster: Poster
  readonly observe?: (attempted: Attempted) => void
  /** Keeps what was sent; apart from `observe`, which anyone may log. */
  readonly keep?: ((attempted: Attempted, sent: Sent) => void) | undefined
  /** Whether the next attempt is to fail, without being made. */
  readonly failsDelivery?: (() => boolean) | undefined
}

/** The duty to deliver. It waits for no attempt: each is a flight of its own, so a slow receiver holds up no other. */
export function createDeliveries(means: Means): Duty {
  const flights = createFlights(means.poster.limits)
  const cuts = new Set<AbortController>()
  const abandon = () => {
    for (const cut of cuts) cut.abort(abandonedFailure())
  }
  const watchForHalt = createHaltWatch(means.store, { isNeeded: () => cuts.size > 0, onHalt: abandon })

  function fly(delivery: Claimed, launch: Launch): void {
    const at = means.now()
    const cut = new AbortController()
    cuts.add(cut)
    const attempt = attemptOf(means, delivery, at, cut.signal)
    const posted = attempt.then(({ outcome }) => outcome)
    const concluded = attempt.then((made) => conclude(means, delivery, at, made))
    launch(flights.track(delivery, posted, concluded).finally(() => cuts.delete(cut)))
    // Its host has a place for the next while the outcome is written.
    launch(posted.then(nothing, nothing))
  }

  return {
    async run(launch) {
      if (flights.isFull) return 0
      const { claimed, left, more } = await claimDue(means, flights)
      for (const delivery of claimed) fly(delivery, launch)
      watchForHalt()
      for (const delivery of left) flights.wait(delivery)
      return more
    },
    // Where nothing can start, the end of a flight is what comes next.
    next: async () => (flights.isFull ? undefined : nextDelivery(means.store, flights.waiting)),
    rewind: () => shortenDeliveries(means),
    abandon,
  }
}

interface Made {
  readonly outcome: Outcome
  readonly sent?: Sent
}

async function attemptOf(means: Means, delivery: Claimed, at: number, signal: AbortSignal): Promise<Made> {
  if (means.failsDelivery?.()) return { outcome: FAULT }
  const { body, url } = delivery
  const signed = await sign(body, secretsAt(delivery, at), { id: delivery.event_id, now: () => at })
  const sent: Sent = { url, headers: { 'content-type': 'application/json', ...signed }, body }
  const onResponse = (received: Received) => {
    sent.received = received
  }
  return { outcome: await means.poster.post({ ...sent, onResponse }, signal), sent }
}

const FAULT: Outcome = {
  ok: false,
  reason: 'fault',
  detail: 'a fault rule of the sandbox failed this attempt, and nothing was sent',
  durationMs: 0,
}

function conclude(means: Means, delivery: Claimed, at: number, made: Made): Promise<void> {
  return isCutShort(made.outcome) ? release(means, delivery) : record(means, delivery, at, made)
}

const nothing = () => {}

/** Whether the sandbox gave it up: that counts as no attempt, and where the delivery is still there it is made again. */
function isCutShort(outcome: Outcome): boolean {
  return !outcome.ok && ['closed', 'busy', 'abandoned'].includes(outcome.reason)
}

/** Leaves a delivery to the next who looks. */
async function release({ store }: Means, { event_id, webhook_id }: Claimed): Promise<void> {
  await store.write((queries) => queries.run(RELEASE, [event_id, webhook_id]))
}

/** The secret, and the one before it while both are valid. */
function secretsAt({ secret, old_secret, old_secret_until }: Claimed, at: number): [string, ...string[]] {
  return old_secret !== null && Number(old_secret_until) > at ? [secret, old_secret] : [secret]
}

async function record(means: Means, delivery: Claimed, at: number, { outcome, sent }: Made): Promise<void> {
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
    const values = [number, at, outcome.ok ? 1 : 0, outcome.status ?? null, reason, detail, duration]
    // Of what a reset has removed meanwhile, nothing is written.
    if ((await queries.run(ATTEMPT, [...values, ...key])) === 0) return undefined
    const counted = await queries.run(ATTEMPTED, [number, ...key, delivery.attempts])
    // What was ordered anew meanwhile has its attempts still before it, unless this one was taken.
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

const ATTEMPT = `
  INSERT INTO attempts (event_id, webhook_id, number, at, ok, status, reason, detail, duration_ms)
  SELECT event_id, webhook_id, ?, ?, ?, ?, ?, ?, ? FROM deliveries WHERE event_id = ? AND webhook_id = ?`
const ATTEMPTED = 'UPDATE deliveries SET attempts = ? WHERE event_id = ? AND webhook_id = ? AND attempts = ?'
const RELEASE = 'UPDATE deliveries SET claimed_until = 0 WHERE event_id = ? AND webhook_id = ?'
// What was dropped meanwhile stays so.
const UPDATE = `
  UPDATE deliveries SET status = ?, due_at = ?, claimed_until = 0
  WHERE event_id = ? AND webhook_id = ? AND status = 'pending'`

import { sign } from '@partner-payments/webhooks'
import { deliverySettings } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { Duty, Launch } from '../due/loop.ts'
import { bind, type Queries, type Row } from '../store/store.ts'
import type { Delivery, Received } from './attempt.ts'
import { type Claimed, claimDue, nextDelivery, shortenDeliveries } from './claim.ts'
import { createHaltWatch } from './halt.ts'
import { trackDeliveries } from './in-progress.ts'
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

export interface DeliveryDependencies extends Pick<Context, 'store' | 'now'> {
  readonly poster: Poster
  readonly observe?: (attempted: Attempted) => void
  /** Keeps the request and response. Separate from `observe`, whose data may be logged. */
  readonly keep?: ((attempted: Attempted, sent: Sent) => void) | undefined
  /** Whether to fail the next attempt without sending it. */
  readonly failsDelivery?: (() => boolean) | undefined
}

/**
 * Creates the background work that delivers events to webhooks. `run` starts the deliveries that
 * are due, and `next` tells when it must run again. Attempts run independently, so a slow receiver
 * delays no other.
 *
 * @param dependencies the store, the clock and the HTTP client
 */
export function createDeliveries(dependencies: DeliveryDependencies): Duty {
  const inProgress = trackDeliveries(dependencies.poster.limits)
  // One for each attempt in progress.
  const cuts = new Set<AbortController>()

  function abandon(): void {
    for (const cut of cuts) {
      cut.abort(new DeliveryFailure('abandoned', 'the state was reset before a response'))
    }
  }
  const watchForHalt = createHaltWatch(dependencies.store, () => cuts.size > 0, abandon)

  /**
   * Attempts a delivery in the background, and writes its outcome.
   *
   * @param launch registers work that goes on in the background; the loop looks for more when it ends
   */
  function start(delivery: Claimed, launch: Launch): void {
    const at = dependencies.now()
    const cut = new AbortController()
    cuts.add(cut)
    const posted = attemptDelivery(dependencies, delivery, at, cut)
    const concluded = posted.then((result) => concludeAttempt(dependencies, delivery, at, result))
    const tracked = inProgress.track(delivery, posted, concluded)
    launch(tracked.finally(() => cuts.delete(cut)))
    // Once posted, the host has capacity for another delivery, although the outcome of this one is
    // still being written: the loop looks for more then, too.
    launch(posted.then(nothing, nothing))
  }

  return {
    async run(launch) {
      if (inProgress.isFull) return 0
      const { claimed, more } = await claimDue(dependencies, inProgress)
      for (const delivery of claimed) start(delivery, launch)
      watchForHalt()
      return more
    },
    // If nothing can start, the loop wakes when a delivery in progress ends.
    next: async () =>
      inProgress.isFull ? undefined : nextDelivery(dependencies.store, inProgress),
    onClockSetBack: () => shortenDeliveries(dependencies),
    abandon,
  }
}

/** The result of an attempt. Without `sent`, nothing was sent. */
interface Result {
  readonly outcome: Outcome
  readonly sent?: Sent
}

/**
 * Signs an event with the secrets of its webhook, and sends it once. Resolves with the outcome and
 * with what was sent. A fault rule of a tester can make the attempt fail: then nothing is sent.
 *
 * @param at the time that is signed
 * @param cut ends the attempt early
 */
async function attemptDelivery(
  dependencies: DeliveryDependencies,
  delivery: Claimed,
  at: number,
  cut: AbortController,
): Promise<Result> {
  if (dependencies.failsDelivery?.()) return { outcome: FAULT }

  const { body, url } = delivery
  const signed = await sign(body, chooseSecrets(delivery, at), {
    id: delivery.event_id,
    now: () => at,
  })
  const headers = { 'content-type': 'application/json', ...signed }
  const { outcome, received } = await dependencies.poster.post({ url, headers, body }, cut)
  return { outcome, sent: { url, headers, body, received } }
}

/** The current secret, and the previous one while both are valid. */
function chooseSecrets(
  { secret, old_secret, old_secret_until }: Claimed,
  at: number,
): [string, ...string[]] {
  const isOldValid = old_secret !== null && Number(old_secret_until) > at
  return isOldValid ? [secret, old_secret] : [secret]
}

const FAULT: Outcome = {
  ok: false,
  reason: 'fault',
  detail: 'a fault rule of the sandbox failed this attempt, and nothing was sent',
  durationMs: 0,
}

const nothing = () => {}

/**
 * Stores the outcome of an attempt and when the next one is due, and notifies the observers. An
 * attempt that was cut short by a stop or a reset is not stored, so that it is made again.
 */
async function concludeAttempt(
  dependencies: DeliveryDependencies,
  delivery: Claimed,
  at: number,
  { outcome, sent }: Result,
): Promise<void> {
  const { store, now, observe, keep } = dependencies
  const { event_id, webhook_id } = delivery
  if (isCutShort(outcome)) {
    // Ends the claim: any instance may attempt it now.
    await store.write((queries) => release(queries, delivery))
    return
  }

  const attempt = Number(delivery.attempts) + 1
  const next = decideNextState(outcome, attempt, now())
  const recorded = await store.write((queries) =>
    recordAttempt(queries, delivery, { attempt, at, outcome, next }),
  )
  if (recorded === 'nothing') return

  // If only the attempt was recorded, somebody redelivered the event, so the delivery goes on.
  const isStateRecorded = recorded === 'everything'
  const isDead = isStateRecorded && next.status === 'dead'
  const attempted = { event_id, webhook_id, attempt, outcome, isDead, at }
  // The page shows headers and body, which the observers do not get.
  if (sent) keep?.(attempted, sent)
  observe?.(attempted)
}

/**
 * Whether the sandbox itself ended the attempt. Such an attempt does not count, and the delivery is
 * tried again if it still exists.
 */
function isCutShort(outcome: Outcome): boolean {
  if (outcome.ok) return false
  return outcome.reason === 'closed' || outcome.reason === 'abandoned'
}

/** The state of a delivery after an attempt. `due_at` is null if there is no next attempt. */
interface NextState {
  readonly status: 'delivered' | 'pending' | 'dead'
  readonly due_at: number | null
}

/**
 * The state of a delivery after an attempt: delivered, pending until the next attempt, or dead
 * after the last one.
 *
 * @param attempt the number of the attempt, from 1
 */
function decideNextState(outcome: Outcome, attempt: number, now: number): NextState {
  if (outcome.ok) return { status: 'delivered', due_at: null }

  const due_at = nextAttempt(attempt, now)
  if (due_at === null) return { status: 'dead', due_at }
  return { status: 'pending', due_at }
}

/** When to try again after this many failed attempts, or null after the last. */
function nextAttempt(attempts: number, now: number): number | null {
  const wait = deliverySettings().waitsMs[attempts - 1]
  return wait === undefined ? null : now + wait
}

interface FinishedAttempt {
  readonly attempt: number
  readonly at: number
  readonly outcome: Outcome
  readonly next: NextState
}

/**
 * Records an attempt, and moves its delivery to the next state, in the transaction of `queries`.
 * Resolves with what was written: nothing if a reset removed the delivery meanwhile, and the
 * attempt alone if it failed and somebody redelivered the event meanwhile.
 */
async function recordAttempt(
  queries: Queries,
  delivery: Claimed,
  finished: FinishedAttempt,
): Promise<'everything' | 'attempt' | 'nothing'> {
  const { event_id, webhook_id } = delivery
  // Adds nothing if the delivery does not exist any more.
  const added = await queries.run(...bind(ADD_ATTEMPT, toAttemptRow(delivery, finished)))
  if (added === 0) return 'nothing'

  const count = { event_id, webhook_id, attempts: finished.attempt, before: delivery.attempts }
  const counted = await queries.run(...bind(COUNT_ATTEMPT, count))
  // Redelivery sets the attempts to 0, so they are not those from `before` any more.
  const wasRedelivered = counted === 0
  const hasFailed = !finished.outcome.ok
  // Then all attempts of the redelivery are still to come.
  if (wasRedelivered && hasFailed) {
    await release(queries, delivery)
    return 'attempt'
  }

  const { status, due_at } = finished.next
  await queries.run(...bind(FINISH_ATTEMPT, { event_id, webhook_id, status, due_at }))
  return 'everything'
}

/** The row of an attempt in its table. `status` is null if no response arrived. */
function toAttemptRow(
  { event_id, webhook_id }: Claimed,
  { attempt, at, outcome }: FinishedAttempt,
): Row {
  return {
    event_id,
    webhook_id,
    number: attempt,
    at,
    ok: outcome.ok ? 1 : 0,
    status: outcome.status ?? null,
    reason: outcome.ok ? '' : outcome.reason,
    detail: outcome.ok ? '' : outcome.detail,
    duration_ms: Math.round(outcome.durationMs),
  }
}

/** Releases the claim, so that any instance can take the delivery. */
function release(queries: Queries, { event_id, webhook_id }: Claimed): Promise<number> {
  return queries.run(...bind(RELEASE, { event_id, webhook_id }))
}

/** Adds no row if the delivery no longer exists. */
const ADD_ATTEMPT = `
  INSERT INTO attempts (event_id, webhook_id, number, at, ok, status, reason, detail, duration_ms)
  SELECT event_id, webhook_id, :number, :at, :ok, :status, :reason, :detail, :duration_ms
  FROM deliveries WHERE event_id = :event_id AND webhook_id = :webhook_id`
/** Changes no row if the attempts were counted again from 0 meanwhile. */
const COUNT_ATTEMPT = `
  UPDATE deliveries SET attempts = :attempts
  WHERE event_id = :event_id AND webhook_id = :webhook_id AND attempts = :before`
const RELEASE = `
  UPDATE deliveries SET claimed_until = 0
  WHERE event_id = :event_id AND webhook_id = :webhook_id`
/** A delivery that was dropped meanwhile stays dropped. */
const FINISH_ATTEMPT = `
  UPDATE deliveries SET status = :status, due_at = :due_at, claimed_until = 0
  WHERE event_id = :event_id AND webhook_id = :webhook_id AND status = 'pending'`

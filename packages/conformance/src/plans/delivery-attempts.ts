import { behaviour } from '../contract/behaviour.ts'
import { durationMs } from '../contract/json.ts'
import { INACTIVE } from '../contract/words.ts'
import { MESSAGE_HEADER } from '../form/message-ids.ts'
import type { RecordedDelivery } from '../history.ts'
import type { DeliveryResponse } from '../send/receiver.ts'
import { cancelCode } from './caused-events.ts'
import type { PlanContext } from './plan.ts'
import {
  createReceivingWebhook,
  createReceivingWebhooks,
  deleteWebhooks,
  type ReceivingWebhook,
  type Respond,
  showThatServiceDelivers,
  updateWebhook,
  type WebhookOptions,
  waitForDeliveries,
  waitForUnexpectedDeliveries,
} from './receiving-webhooks.ts'
import { IMMEDIATE_CODES } from './records.ts'

/** The part of the wait for an attempt after which one comes too early: less than half. */
const EARLY_PART = 0.4
/** An attempt may come so many milliseconds late. */
const SPARE_MS = 8_500
/** A run waits so many milliseconds for an attempt, where the clock cannot be moved. */
const MAX_WAIT_MS = 60_000

/**
 * Tries how the service repeats a delivery that failed. Causes one event for webhooks whose receivers fail once or
 * always, and for one whose secret was rotated. Then deletes one, pauses another, lets the declared wait pass, and
 * receives the second attempts, which must not come for these two.
 */
export async function tryAttempts(
  context: PlanContext,
  allEvents: ReceivingWebhook,
): Promise<void> {
  const failingOnce = await createFailingOnce(context)
  const [deleted, paused, failing] = await createReceivingWebhooks(context, [
    ALWAYS_FAILS,
    ALWAYS_FAILS,
    { respond: failForFirstMessage() },
  ])
  const rotated = await createRotated(context)

  const events = await cancelCode(context, IMMEDIATE_CODES)
  const receivers = [allEvents, rotated, failing, deleted, paused, ...failingOnce]
  const tookMs = await waitForDeliveries(context, receivers, events)
  await waitForUnexpectedDeliveries(context, [allEvents, ...failingOnce], tookMs)
  await deleteWebhooks(context, [deleted])
  await updateWebhook(context, paused, { status: INACTIVE })

  // The declared waits between the first attempt and the second, and between later ones.
  const [firstWaitMs = 0, ...laterWaitsMs] = behaviour.deliveries.waits.map(durationMs)
  const isSecondAttemptDue = await passFirstWait(context, firstWaitMs, failingOnce, tookMs)
  if (isSecondAttemptDue) {
    const webhooks = { allEvents, rotated, failing, failingOnce }
    await receiveRetries(context, webhooks, laterWaitsMs, tookMs)
  }
  await deleteWebhooks(context, [rotated, failing, paused])
}

/**
 * Lets the declared wait before a second attempt pass. Where the clock can be moved, first moves it by a part of the
 * wait, and receives attempts that come too early. Returns whether the second attempt is due; false if the wait is so
 * long that the run does not wait for it.
 *
 * @param tookMs How long deliveries took before.
 */
async function passFirstWait(
  context: PlanContext,
  waitMs: number,
  failingOnce: RetriedWebhooks['failingOnce'],
  tookMs: number,
): Promise<boolean> {
  const earlyMs = context.clock.isControlled ? EARLY_PART * waitMs : 0
  if (earlyMs > 0) {
    await passMs(context, earlyMs)
    await waitForUnexpectedDeliveries(context, failingOnce, tookMs)
  }
  return passMs(context, waitMs - earlyMs + SPARE_MS)
}

/**
 * Receives the second attempts, which are due now, and deletes the webhooks that failed once. On a sandbox, whose clock
 * can be moved, also receives the later attempts at the webhook that fails always.
 *
 * @param laterWaitsMs The declared waits between the second attempt and the next ones.
 * @param tookMs How long deliveries took before.
 */
async function receiveRetries(
  context: PlanContext,
  { failingOnce, ...webhooks }: RetriedWebhooks,
  laterWaitsMs: readonly number[],
  tookMs: number,
): Promise<void> {
  const { allEvents, failing } = webhooks
  const dueAt = performance.now()
  const areAllRetried = await waitForRetries([...failingOnce, failing])
  const lateMs = performance.now() - dueAt
  // A missing attempt is a failure only if the service still delivers.
  if (!areAllRetried) await showThatServiceDelivers(context, allEvents)
  await waitForUnexpectedDeliveries(context, failingOnce, tookMs)
  await deleteWebhooks(context, failingOnce)
  if (!context.clock.isControlled) return

  // If a second attempt is missing, nothing says which later ones must come.
  const stillRetried = areAllRetried ? failing : undefined
  await followSchedule(context, { ...webhooks, failing: stillRetried }, laterWaitsMs, lateMs)
}

const ALWAYS_FAILS: WebhookOptions = { respond: () => ({ status: 500 }) }

/**
 * Creates a webhook for each response of `firstResponses`: its receiver gives this response to the first
 * attempt of a message, and 204 to later ones.
 *
 * @returns the webhooks in this order; undefined where the service refused one
 */
function createFailingOnce(
  context: PlanContext,
): Promise<readonly (ReceivingWebhook | undefined)[]> {
  // Where a redirect leads: a delivery that arrives there was sent on, which is a finding.
  const otherInbox = context.receiver?.open()
  const options: WebhookOptions[] = firstResponses(otherInbox?.url).map((response) => ({
    respond: respondOnce(response),
  }))
  return createReceivingWebhooks(context, options)
}

/** Milliseconds that a slow receiver takes: less than any timeout of a service. */
const SLOW_MS = 500

/**
 * The responses to a first attempt that are tried, one at a webhook each: a status, `afterMs` for a late
 * one, and 0 for a connection that breaks off.
 *
 * @param location Where the redirect leads.
 */
function firstResponses(location = ''): readonly DeliveryResponse[] {
  return [
    { status: 200 },
    { status: 202 },
    { status: 500 },
    { status: 503 },
    { status: 429 },
    { status: 404 },
    { status: 400 },
    { status: 204, afterMs: SLOW_MS },
    { status: 302, location },
    { status: 0 },
  ]
}

/**
 * Builds the function by which a receiver responds: with `response` to the first attempt of each message,
 * and with 204 to later ones.
 */
function respondOnce(response: DeliveryResponse): Respond {
  const attemptedMessages = new Set<string>()
  return (delivery) => {
    const message = identifyMessage(delivery)
    const isFirstAttempt = !attemptedMessages.has(message)
    attemptedMessages.add(message)
    return isFirstAttempt ? response : { status: 204 }
  }
}

/**
 * Builds the function by which a receiver responds: with 500 to all attempts of the first message that it
 * gets, and with 204 to other messages.
 */
function failForFirstMessage(): Respond {
  let firstMessage: string | undefined
  return (delivery) => {
    const message = identifyMessage(delivery)
    firstMessage ??= message
    return { status: message === firstMessage ? 500 : 204 }
  }
}

/** What all attempts of one message have in common: its id, or its text if it has none. */
function identifyMessage({ headers, text }: RecordedDelivery): string {
  return headers[MESSAGE_HEADER] ?? text
}

/**
 * Creates a webhook and rotates its secret twice, after which the oldest secret must sign no more.
 * Undefined if the service refused the webhook.
 */
async function createRotated(context: PlanContext): Promise<ReceivingWebhook | undefined> {
  const rotated = await createReceivingWebhook(context)
  if (!rotated) return undefined
  await context.send('rotateWebhookSecret', { path: rotated.path })
  await context.send('rotateWebhookSecret', { path: rotated.path })
  // A change of other fields leaves both secrets.
  await updateWebhook(context, rotated, {})
  return rotated
}

/** Moves the clock of a sandbox, or waits. Returns whether the time has passed; false if it would take too long. */
async function passMs({ clock, wait }: PlanContext, ms: number): Promise<boolean> {
  if (clock.isControlled) return clock.advance(ms / 1000)
  if (ms > MAX_WAIT_MS) return false
  await wait(ms)
  return true
}

/** Waits until each message that failed was attempted again. Returns whether all were. */
async function waitForRetries(
  webhooks: readonly (ReceivingWebhook | undefined)[],
): Promise<boolean> {
  const wereRetried = await Promise.all(webhooks.map(waitForRetry))
  return wereRetried.every((wasRetried) => wasRetried)
}

/**
 * Waits for a second attempt at a webhook, if the first one failed. Returns false if the second attempt
 * does not come, and true if it comes or none is due.
 */
async function waitForRetry(webhook: ReceivingWebhook | undefined): Promise<boolean> {
  const first = webhook?.inbox.deliveries[0]
  if (!webhook || !first) return true

  // The status with which the receiver of this run responded.
  const hasSucceeded = first.status >= 200 && first.status < 300
  if (hasSucceeded) return true

  const second = await webhook.inbox.waitFor(
    (delivery) => delivery !== first && identifyMessage(delivery) === identifyMessage(first),
  )
  return second !== undefined
}

/** The webhooks that later attempts and other events reach. */
interface ScheduleWebhooks {
  readonly allEvents: ReceivingWebhook
  readonly rotated: ReceivingWebhook | undefined
  /** One whose receiver always fails; undefined if the service did not attempt it again. */
  readonly failing: ReceivingWebhook | undefined
}

interface RetriedWebhooks extends ScheduleWebhooks {
  /** Those whose receivers fail for the first attempt. */
  readonly failingOnce: readonly (ReceivingWebhook | undefined)[]
}

/**
 * Moves the clock of a sandbox along the declared schedule of attempts, and waits at each step for what
 * must come then: an attempt, or none. Also causes events before and after the time at which an old
 * secret of a webhook stops to sign.
 *
 * @param waitsMs The declared waits between the second attempt and the next ones.
 * @param lateMs How long after the last move of the clock the attempts came that were due then. Zero if a move ends
 *   only when they are delivered, so that nothing can come later.
 */
async function followSchedule(
  context: PlanContext,
  { allEvents, rotated, failing }: ScheduleWebhooks,
  waitsMs: readonly number[],
  lateMs: number,
): Promise<void> {
  let nowMs = 0
  // Undefined once an attempt is missing: nothing says which later ones must come.
  let retried = failing
  for (const { atMs, expects } of buildSchedule(waitsMs)) {
    const attemptsBefore = attemptsOfFirstEvent(retried).length
    const isMoved = await passMs(context, atMs - nowMs)
    if (!isMoved) return
    nowMs = atMs

    if (expects === 'no attempt' && retried) {
      const minMs = 0
      await waitForUnexpectedDeliveries(context, [retried], lateMs, minMs)
    }
    if (expects === 'new event') await deliverNewEvent(context, allEvents, rotated)
    if (expects === 'attempt' && retried) {
      const isAttempted = await waitForMoreAttempts(retried, attemptsBefore)
      if (isAttempted) continue

      // A missing attempt is a failure only if the service still delivers.
      await showThatServiceDelivers(context, allEvents)
      retried = undefined
    }
  }
}

/** Causes an event, and waits until it has arrived at two webhooks. Does nothing if the second does not exist. */
async function deliverNewEvent(
  context: PlanContext,
  allEvents: ReceivingWebhook,
  rotated: ReceivingWebhook | undefined,
): Promise<void> {
  if (!rotated) return
  const events = await cancelCode(context, IMMEDIATE_CODES)
  await waitForDeliveries(context, [allEvents, rotated], events)
}

const HOUR_MS = 3_600_000

/** A time after the second attempt, and what has to happen then. */
interface Step {
  readonly atMs: number
  readonly expects: 'attempt' | 'no attempt' | 'new event'
}

/**
 * Builds the steps at which `followSchedule` stops, in the order of their times: when each attempt is due,
 * a time too early for each, a time after the last one, and an hour before and after an old secret ends. Such as
 * `[{ atMs: 120000, expects: 'no attempt' }, { atMs: 308500, expects: 'attempt' }, …]`, counted from the second attempt.
 */
function buildSchedule(waitsMs: readonly number[]): Step[] {
  const steps: Step[] = []
  let attemptMs = 0
  for (const waitMs of waitsMs) {
    steps.push({ atMs: attemptMs + EARLY_PART * waitMs, expects: 'no attempt' })
    // Each attempt may be late, and the next wait begins with it.
    attemptMs += waitMs + SPARE_MS
    steps.push({ atMs: attemptMs, expects: 'attempt' })
  }
  steps.push({ atMs: attemptMs + 2 * Math.max(0, ...waitsMs), expects: 'no attempt' })

  const oldSecretEndsMs = durationMs(behaviour.deliveries.overlap.duration)
  steps.push({ atMs: oldSecretEndsMs - HOUR_MS, expects: 'new event' })
  steps.push({ atMs: oldSecretEndsMs + HOUR_MS, expects: 'new event' })
  return steps.toSorted((a, b) => a.atMs - b.atMs)
}

/** The attempts of the first event that a webhook received, in their order; empty if nothing was received. */
function attemptsOfFirstEvent(webhook: ReceivingWebhook | undefined): readonly RecordedDelivery[] {
  const [first, ...others] = webhook?.inbox.deliveries ?? []
  if (!first) return []
  const message = identifyMessage(first)
  return [first, ...others.filter((delivery) => identifyMessage(delivery) === message)]
}

/** Waits until a webhook has more than some attempts of its first event. Returns whether it has. */
async function waitForMoreAttempts(webhook: ReceivingWebhook, count: number): Promise<boolean> {
  const delivery = await webhook.inbox.waitFor(() => attemptsOfFirstEvent(webhook).length > count)
  return delivery !== undefined
}

import { behaviour } from '../contract/behaviour.ts'
import { durationMs, stringAt } from '../contract/json.ts'
import type { RecordedDelivery } from '../history.ts'
import type { DeliveryResponse } from '../send/receiver.ts'
import type { Plan, PlanContext } from './plan.ts'
import { CODE_KINDS, DUE_DATE_CODES, IMMEDIATE_CODES } from './records.ts'
import {
  arrivals,
  cancelCode,
  control,
  DUE_DATE,
  end,
  IMMEDIATE,
  KEY,
  pay,
  payPartner,
  STATIC,
  type Subscribed,
  type Subscriber,
  type Subscription,
  settle,
  subscribe,
  subscribeEach,
  sumOf,
  update,
} from './subscribers.ts'

/** Receives the events of each cause, with receivers that fail, and with webhooks that change. */
export const deliveries: Plan = {
  id: 'deliveries',
  beside: 'waits',
  wants: [
    'deliveries-received',
    'deliveries-sent',
    'deliveries-once',
    'deliveries-subscribed',
    'deliveries-shaped',
    'deliveries-shown',
    'deliveries-signed',
    'deliveries-secrets',
    'deliveries-retried',
    'money-paid',
  ],
  async run(context) {
    const { receiver, isChosen } = context
    const operations = Object.values(behaviour.resources.webhook.operations)
    if (!receiver || !operations.some(isChosen)) return
    const all = await subscribe(context)
    if (!all) return
    const { json } = await context.send('getWebhook', { path: all.path })
    if (stringAt(json, '/status') !== 'active') await update(context, all, {})
    const used = await tryCauses(context, all)
    if (all.inbox.deliveries.length === 0) return
    await tryUpdates(context, all, used)
    await tryAttempts(context, all)
  },
}

/**
 * A webhook of each type, one whose URL has a query, and one of another partner, with each cause of
 * an event. Returns the one with the query, to which something was delivered.
 */
async function tryCauses(context: PlanContext, all: Subscriber): Promise<Subscribed> {
  const hasOther = context.identities.has('other')
  const used = await subscribe(context, { query: '?to=me' })
  const typed = await subscribeEach(context, [{ type: 'transfer' }, { type: 'qrcode' }])
  const others = [...typed]
  if (hasOther) others.push(await subscribe(context, { by: 'other' }))

  const causes = [
    () => cancelCode(context, IMMEDIATE_CODES),
    () => cancelCode(context, DUE_DATE_CODES),
    () => pay(context, KEY, 'partner'),
    () => pay(context, KEY, 'customer'),
    () => pay(context, IMMEDIATE, 'customer'),
    () => pay(context, DUE_DATE, 'customer'),
    () => pay(context, STATIC, 'customer'),
    () => payPartner(context, 'customer'),
  ]
  if (hasOther) causes.push(() => pay(context, IMMEDIATE, 'other'))
  if (hasOther) causes.push(() => payPartner(context, 'other'))
  // The partner pays its own code, which services reject.
  causes.push(() => pay(context, IMMEDIATE, 'partner'))
  const caused = await context.sideBySide(causes, (cause) => cause())
  const expected = caused.flat()

  const took = await arrivals(context, [all, used, ...typed], expected)
  await settle(context, [all, used, ...others], took)
  // Events show the codes as they are after their changes.
  for (const { list } of CODE_KINDS) await context.send(list)
  await end(context, others)
  return used
}

/** Changes webhooks in each way, one of them after it was used, then causes one event. */
async function tryUpdates(context: PlanContext, all: Subscriber, moved: Subscribed): Promise<void> {
  const target = context.receiver?.open()
  const [narrowed, paused, resumed, removed] = await subscribeEach(context, [{}, {}, {}, {}])
  await update(context, moved, { url: target?.url })
  await update(context, narrowed, { type: 'transfer' })
  await update(context, paused, { status: 'inactive' })
  await update(context, resumed, { status: 'inactive' })
  await update(context, resumed, {})
  await end(context, [removed])

  const atTarget = moved && target && { ...moved, inbox: target, url: target.url }
  const expected = await cancelCode(context, IMMEDIATE_CODES)
  const took = await arrivals(context, [all, resumed, atTarget], expected)
  await settle(context, [all, resumed], took)
  await end(context, [moved, narrowed, paused, resumed])
}

/** Milliseconds that a slow receiver takes: less than any timeout of a service. */
const SLOW_MS = 500

/** The first responses of receivers; all later ones are 204. */
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
    // Breaks off.
    { status: 0 },
  ]
}

/** Each first attempt gets this response, and each later one 204. */
function once(response: DeliveryResponse): NonNullable<Subscription['respond']> {
  const messages = new Set<string | undefined>()
  return ({ headers, text }) => {
    const message = headers['webhook-id'] ?? text
    const isFirstAttempt = !messages.has(message)
    messages.add(message)
    return isFirstAttempt ? response : { status: 204 }
  }
}

/** Each attempt of the first event gets a 500. */
function failForFirst(): NonNullable<Subscription['respond']> {
  let first: string | undefined
  return ({ headers, text }) => {
    const message = headers['webhook-id'] ?? text
    first ??= message
    return { status: message === first ? 500 : 204 }
  }
}

/** The part of a wait after which an attempt is too early: less than half. */
const EARLY = 0.4
/** Milliseconds by which an attempt may be late. */
const SPARE_MS = 8_500
/** Milliseconds that a run waits for an attempt where the clock cannot be moved. */
const MOST_MS = 60_000

const ALWAYS_FAILS: Subscription = { respond: () => ({ status: 500 }) }

/**
 * Receivers that fail, a secret that is rotated, and webhooks that are deleted or paused while an
 * attempt is due.
 */
async function tryAttempts(context: PlanContext, all: Subscriber): Promise<void> {
  const { receiver, clock } = context
  const responses = firstResponses(receiver?.open().url)
  const subscriptions = responses.map((response) => ({ respond: once(response) }))
  const failing = await subscribeEach(context, subscriptions)
  const [removed, paused] = await subscribeEach(context, [ALWAYS_FAILS, ALWAYS_FAILS])
  const dead = await subscribe(context, { respond: failForFirst() })
  const rotated = await subscribeRotated(context)

  const expected = await cancelCode(context, IMMEDIATE_CODES)
  const took = await arrivals(context, [all, rotated, dead, removed, paused, ...failing], expected)
  await settle(context, [all, ...failing], took)
  await end(context, [removed])
  await update(context, paused, { status: 'inactive' })

  const [first = 0, ...waits] = behaviour.deliveries.waits.map(durationMs)
  const earlyMs = clock.isControlled ? EARLY * first : 0
  if (earlyMs > 0) {
    await pass(context, earlyMs)
    await settle(context, failing, took)
  }
  const isSecondDue = await pass(context, first - earlyMs + SPARE_MS)
  if (isSecondDue) {
    const isRetried = await waitForRetries([...failing, dead])
    if (!isRetried) await control(context, all)
    await settle(context, failing, took)
    await end(context, failing)
    if (clock.isControlled)
      await tryLater(context, { all, rotated, dead: isRetried ? dead : undefined, waits, took })
  }
  await end(context, [rotated, dead, paused])
}

/** A webhook whose secret was rotated twice, after which the oldest secret signs no more. */
async function subscribeRotated(context: PlanContext): Promise<Subscribed> {
  const rotated = await subscribe(context)
  if (!rotated) return undefined
  await context.send('rotateWebhookSecret', { path: rotated.path })
  await context.send('rotateWebhookSecret', { path: rotated.path })
  // A change of other fields leaves both secrets.
  await update(context, rotated, {})
  return rotated
}

/** Moves the clock of a sandbox, or waits. */
async function pass({ clock, wait }: PlanContext, ms: number): Promise<boolean> {
  if (clock.isControlled) return clock.advance(ms / 1000)
  if (ms > MOST_MS) return false
  await wait(ms)
  return true
}

/** Waits until each message that failed was attempted again. Returns whether all were. */
async function waitForRetries(webhooks: readonly Subscribed[]): Promise<boolean> {
  const waits = webhooks.map((webhook) => waitForRetry(webhook))
  return (await Promise.all(waits)).every((wasRetried) => wasRetried)
}

/** Waits for a second attempt, unless the first one succeeded. Returns whether it came. */
async function waitForRetry(webhook: Subscribed): Promise<boolean> {
  const first = webhook?.inbox.deliveries[0]
  if (!webhook || !first) return true
  const isTaken = first.status >= 200 && first.status < 300
  if (isTaken) return true
  const second = await webhook.inbox.waitFor(
    (next) => next !== first && next.completeAt > first.completeAt,
  )
  return second !== undefined
}

interface Later {
  readonly all: Subscriber
  readonly rotated: Subscribed
  /** A webhook whose receiver always fails. */
  readonly dead: Subscribed
  /** Milliseconds between its next attempts. */
  readonly waits: readonly number[]
  /** Milliseconds that deliveries take. */
  readonly took: number
}

const HOUR_MS = 3_600_000

/** A time after the first retry, and what happens then. */
interface Step {
  readonly atMs: number
  /** Whether an attempt is due, whether one would be wrong, or an event is caused. */
  readonly of: 'attempt' | 'no attempt' | 'event'
}

/**
 * Follows the schedule of attempts, and causes events before and after the end of an old secret.
 */
async function tryLater(
  context: PlanContext,
  { all, rotated, dead, waits, took }: Later,
): Promise<void> {
  let nowMs = 0
  let failing = dead
  for (const { atMs, of } of stepsOf(waits)) {
    const seen = attemptsAt(failing).length
    const isMoved = await pass(context, atMs - nowMs)
    if (!isMoved) return
    nowMs = atMs

    if (of === 'no attempt') await settle(context, [failing], took)

    if (of === 'attempt' && failing) {
      const isAttempted = await waitForMoreThan(failing, seen)
      if (isAttempted) continue
      // An attempt that does not come is missing if the service still delivers.
      await control(context, all)
      failing = undefined
    }

    if (of === 'event' && rotated) {
      const expected = await cancelCode(context, IMMEDIATE_CODES)
      await arrivals(context, [all, rotated], expected)
    }
  }
}

/**
 * Attempts, a time too early for each and one after the last, and an hour before and after an old
 * secret ends.
 */
function stepsOf(waits: readonly number[]): Step[] {
  const overlapMs = durationMs(behaviour.deliveries.overlap.duration)
  // Each attempt may be late, and the next wait begins with it.
  const dueMs = waits.map((_, i) => sumOf(waits.slice(0, i + 1)) + SPARE_MS * (i + 1))
  const earlyMs = waits.map((wait, i) => (dueMs[i - 1] ?? 0) + EARLY * wait)
  const afterLastMs = (dueMs.at(-1) ?? 0) + 2 * Math.max(0, ...waits)
  const withoutAttemptMs = [...earlyMs, afterLastMs]

  const steps: Step[] = [
    ...dueMs.map((atMs) => ({ atMs, of: 'attempt' }) as const),
    ...withoutAttemptMs.map((atMs) => ({ atMs, of: 'no attempt' }) as const),
    { atMs: overlapMs - HOUR_MS, of: 'event' },
    { atMs: overlapMs + HOUR_MS, of: 'event' },
  ]
  return steps.toSorted((a, b) => a.atMs - b.atMs)
}

/** The attempts of the first event that a webhook received. */
function attemptsAt(webhook: Subscribed): readonly RecordedDelivery[] {
  const [first, ...others] = webhook?.inbox.deliveries ?? []
  if (!first) return []
  return [first, ...others.filter((other) => isAttemptOf(other, first))]
}

function isAttemptOf(one: RecordedDelivery, other: RecordedDelivery): boolean {
  return one.headers['webhook-id'] === other.headers['webhook-id']
}

/** Waits until a webhook has more attempts than a number. Returns whether one came. */
async function waitForMoreThan(webhook: Subscriber, count: number): Promise<boolean> {
  const next = await webhook.inbox.waitFor(() => attemptsAt(webhook).length > count)
  return next !== undefined
}

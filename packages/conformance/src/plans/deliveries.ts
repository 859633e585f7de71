import { behaviour } from '../contract/behaviour.ts'
import { durationMs, stringAt } from '../contract/json.ts'
import type { DeliveryResponse } from '../send/receiver.ts'
import { KINDS } from './lifecycles.ts'
import type { Plan, PlanContext } from './plan.ts'
import {
  arrivals,
  cancelCode,
  control,
  DUE_DATE,
  end,
  IMMEDIATE,
  KEY,
  pay,
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
  wants: ['deliveries'],
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
  const used = await subscribe(context, { query: '?to=me' })
  const typed = await subscribeEach(context, [{ type: 'transfer' }, { type: 'qrcode' }])
  const hasOther = context.identities.has('other')
  const others = hasOther ? [...typed, await subscribe(context, { by: 'other' })] : typed
  const expected = [
    ...(await cancelCode(context, 'Immediate')),
    ...(await cancelCode(context, 'DueDate')),
    ...(await pay(context, KEY, 'partner')),
    ...(await pay(context, KEY, 'customer')),
    ...(await pay(context, IMMEDIATE, 'customer')),
    ...(await pay(context, DUE_DATE, 'customer')),
    ...(hasOther ? await pay(context, IMMEDIATE, 'other') : []),
    // The partner pays its own code, which services reject.
    ...(await pay(context, IMMEDIATE, 'partner')),
  ]
  await settle(
    context,
    [all, used, ...others],
    await arrivals(context, [all, used, ...typed], expected),
  )
  // Events show the codes as they are after their changes.
  for (const kind of KINDS) await context.send(`list${kind}s`)
  await end(context, others)
  return used
}

/** Changes webhooks in each way, one of them after it was used, then causes one event. */
async function tryUpdates(context: PlanContext, all: Subscriber, moved: Subscribed): Promise<void> {
  const target = context.receiver?.open()
  const [narrowed, paused, resumed, removed] = await subscribeEach(context, [{}, {}, {}, {}])
  await update(context, moved, { url: target?.url })
  await update(context, narrowed, { type: 'transfer' })
  for (const it of [paused, resumed]) await update(context, it, { status: 'inactive' })
  await update(context, resumed, {})
  await end(context, [removed])
  const there = moved && target && { ...moved, inbox: target, url: target.url }
  const took = await arrivals(
    context,
    [all, resumed, there],
    await cancelCode(context, 'Immediate'),
  )
  await settle(context, [all, resumed], took)
  await end(context, [moved, narrowed, paused, resumed])
}

/** Milliseconds that a slow receiver takes: less than any timeout of a service. */
const SLOW = 500

/** The first responses of receivers, of which one breaks off; all later ones are 204. */
function firstResponses(location = ''): readonly DeliveryResponse[] {
  return [
    ...[200, 202, 500, 503, 429, 404, 400].map((status) => ({ status })),
    { status: 204, afterMs: SLOW },
    { status: 302, location },
    { status: 0 },
  ]
}

/** Each first attempt gets this response, and each later one 204. */
function once(response: DeliveryResponse): NonNullable<Subscription['respond']> {
  const messages = new Set<string | undefined>()
  return ({ headers }) => {
    const { size } = messages
    return messages.add(headers['webhook-id']).size > size ? response : { status: 204 }
  }
}

/** Each attempt of the first event gets a 500. */
function failForFirst(): NonNullable<Subscription['respond']> {
  let first: string | undefined
  return ({ headers }) => {
    first ??= headers['webhook-id']
    return { status: headers['webhook-id'] === first ? 500 : 204 }
  }
}

/**
 * Milliseconds by which an attempt may be late, and those that a run waits for one where the clock
 * cannot be moved.
 */
const SPARE = 8_500
const MOST = 60_000

/**
 * Receivers that fail, a secret that is rotated, and webhooks that are deleted or paused while an
 * attempt is due.
 */
async function tryAttempts(context: PlanContext, all: Subscriber): Promise<void> {
  const { send, receiver, clock } = context
  const responses = firstResponses(receiver?.open().url)
  const failing = await subscribeEach(
    context,
    responses.map((it) => ({ respond: once(it) })),
  )
  const [removed, paused] = await subscribeEach(context, [
    { respond: () => ({ status: 500 }) },
    { respond: () => ({ status: 500 }) },
  ])
  const dead = await subscribe(context, { respond: failForFirst() })
  const rotated = await subscribe(context)
  // Twice, after which the oldest secret signs no more.
  for (let i = 0; i < 2; i++) if (rotated) await send('rotateWebhookSecret', { path: rotated.path })
  // A change of other fields leaves both secrets.
  await update(context, rotated, {})
  const expected = await cancelCode(context, 'Immediate')
  const took = await arrivals(context, [all, rotated, dead, removed, paused, ...failing], expected)
  await settle(context, [all, ...failing], took)
  await end(context, [removed])
  await update(context, paused, { status: 'inactive' })
  const [first = 0, ...waits] = behaviour.deliveries.waits.map(durationMs)
  if (await pass(context, first + SPARE)) {
    const isRetried = await again([...failing, dead])
    if (!isRetried) await control(context, all)
    await settle(context, failing, took)
    await end(context, failing)
    if (clock.isControlled)
      await tryLater(context, { all, rotated, dead: isRetried ? dead : undefined, waits })
  }
  await end(context, [rotated, dead, paused])
}

/** Moves the clock of a sandbox, or waits. */
async function pass({ clock, wait }: PlanContext, ms: number): Promise<boolean> {
  if (clock.isControlled) return clock.advance(ms / 1000)
  if (ms > MOST) return false
  await wait(ms)
  return true
}

/** Waits until each message that failed was attempted again. */
async function again(webhooks: readonly Subscribed[]): Promise<boolean> {
  const waits = webhooks.map((it) => {
    const first = it?.inbox.deliveries[0]
    const isDone = !first || (first.status >= 200 && first.status < 300)
    return (
      isDone || it?.inbox.waitFor((next) => next !== first && next.completeAt > first.completeAt)
    )
  })
  return (await Promise.all(waits)).every(Boolean)
}

interface Later {
  readonly all: Subscriber
  readonly rotated: Subscribed
  /** A webhook whose receiver always fails. */
  readonly dead: Subscribed
  /** Milliseconds between its next attempts. */
  readonly waits: readonly number[]
}

const HOUR = 3_600_000

/**
 * Follows the schedule of attempts, and causes events before and after the end of an old secret.
 */
async function tryLater(context: PlanContext, { all, rotated, dead, waits }: Later): Promise<void> {
  const overlap = durationMs(behaviour.deliveries.overlap.duration)
  const due = waits.map((_, i) => ({
    at: sumOf(waits.slice(0, i + 1)) + SPARE * (i + 1),
    isAttempt: true,
  }))
  const causes = [-HOUR, HOUR].map((it) => ({ at: overlap + it, isAttempt: false }))
  let now = 0
  let failing = dead
  for (const { at, isAttempt } of [...due, ...causes].toSorted((a, b) => a.at - b.at)) {
    const { inbox } = failing ?? {}
    const count = inbox?.deliveries.length ?? 0
    if (!(await pass(context, at - now))) return
    now = at
    if (
      inbox &&
      isAttempt &&
      !(await inbox.waitFor((it) => inbox.deliveries.indexOf(it) >= count))
    ) {
      // An attempt that does not come is missing if the service still delivers.
      await control(context, all)
      failing = undefined
    } else if (!isAttempt && rotated)
      await arrivals(context, [all, rotated], await cancelCode(context, 'Immediate'))
  }
}

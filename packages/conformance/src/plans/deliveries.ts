import { behaviour } from '../contract/behaviour.ts'
import { durationMs, stringAt } from '../contract/json.ts'
import type { RecordedDelivery } from '../history.ts'
import type { DeliveryResponse, Inbox } from '../send/receiver.ts'
import { KINDS } from './lifecycles.ts'
import { created, type Plan, type PlanContext, sendValid } from './plan.ts'

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

/** Milliseconds without a delivery after which none is expected any more, and how often a run waits for them. */
const GRACE = 50
const MOST_GRACE = 1_000
const MOST_WAITS = 20

interface Subscription {
  readonly type?: string
  readonly by?: 'partner' | 'other'
  readonly respond?: (delivery: RecordedDelivery) => DeliveryResponse
  readonly query?: string
}

/** A webhook of the run, with its inbox and the URL that it registered. */
interface Subscriber extends Required<Pick<Subscription, 'type' | 'by'>> {
  readonly inbox: Inbox
  readonly url: string
  readonly path: { readonly webhook_id: string }
}

/** Undefined for a webhook that the service refused. */
type Subscribed = Subscriber | undefined

async function subscribe(
  context: PlanContext,
  { type = 'all', by = 'partner', respond, query = '' }: Subscription = {},
): Promise<Subscribed> {
  const inbox = context.receiver?.open(respond)
  if (!inbox) return undefined
  const url = inbox.url + query
  const { id } = await created(context, 'createWebhook', { body: { url, type }, by })
  return id === undefined ? undefined : { inbox, url, path: { webhook_id: id }, type, by }
}

async function subscribeEach(context: PlanContext, all: readonly Subscription[]): Promise<Subscribed[]> {
  const webhooks: Subscribed[] = []
  for (const it of all) webhooks.push(await subscribe(context, it))
  return webhooks
}

async function update({ send }: PlanContext, webhook: Subscribed, changes: object): Promise<void> {
  if (!webhook) return
  const { url, path, type } = webhook
  await send('updateWebhook', { path, body: { url, type, status: 'active', ...changes } })
}

async function end({ send }: PlanContext, webhooks: readonly Subscribed[]): Promise<void> {
  for (const it of webhooks) if (it) await send('deleteWebhook', { path: it.path, by: it.by })
}

/**
 * Waits until deliveries that must not come, or that come twice, would have arrived: twice as long as those that must
 * come took.
 */
async function settle({ wait }: PlanContext, webhooks: readonly Subscribed[], took: number): Promise<void> {
  const grace = Math.min(MOST_GRACE, Math.max(GRACE, 2 * took))
  const count = () => sumOf(webhooks.map((it) => it?.inbox.deliveries.length ?? 0))
  for (let i = 0, before = -1; i < MOST_WAITS && before !== count(); i++) {
    before = count()
    await wait(grace)
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, it) => sum + it, 0)
}

/** An event that must arrive: the type of webhook that receives it, and the id or code of its record. */
interface Expected {
  readonly type: 'transfer' | 'qrcode'
  readonly id: string
}

/**
 * Waits until all webhooks have what they subscribe to. If one has not, causes events that show whether any is sent.
 * Returns the milliseconds that the deliveries took.
 */
async function arrivals(
  context: PlanContext,
  webhooks: readonly Subscribed[],
  expected: readonly Expected[],
): Promise<number> {
  const began = performance.now()
  const waits = webhooks.flatMap((webhook) =>
    expected.map(
      ({ type, id }) =>
        !webhook ||
        (webhook.type !== 'all' && webhook.type !== type) ||
        webhook.inbox.waitFor(({ url, text }) => url === webhook.url && text.includes(id)),
    ),
  )
  const haveAll = (await Promise.all(waits)).every(Boolean)
  const took = performance.now() - began
  if (!haveAll) await control(context, webhooks[0])
  return took
}

/** Causes new events, which show whether the service still delivers. */
async function control(context: PlanContext, webhook: Subscribed): Promise<void> {
  const expected = [...(await pay(context, KEY, 'partner')), ...(await cancelCode(context, 'Immediate'))]
  await webhook?.inbox.waitFor(({ text }) => expected.some(({ id }) => text.includes(id)))
}

/** The examples of transfers: the payment of a code of each kind, and of a key. */
const [IMMEDIATE, DUE_DATE, KEY] = [1, 2, 3]

/** Pays a key or a code. The event of the transfer is for who pays, and that of the code for the partner that created it. */
async function pay(
  context: PlanContext,
  example: number,
  by: 'partner' | 'customer' | 'other',
): Promise<Expected[]> {
  const paid = await sendValid(context, 'createTransfer', { example, by })
  if (!paid?.isAccepted) return []
  const emv = by === 'partner' ? undefined : stringAt(paid.input.body, '/emv')
  const transfer: Expected = { type: 'transfer', id: stringAt(paid.json, '/id') ?? '' }
  return [
    ...(by === 'other' ? [] : [transfer]),
    ...(emv === undefined ? [] : [{ type: 'qrcode', id: emv } as const]),
  ]
}

/** Cancels a code, and again, which changes nothing. */
async function cancelCode(context: PlanContext, kind: 'Immediate' | 'DueDate'): Promise<Expected[]> {
  const operation = `cancel${kind}QrCode`
  const cancelled = await sendValid(context, operation)
  if (!cancelled) return []
  const { isAccepted, input } = cancelled
  await context.send(operation, input)
  return isAccepted ? [{ type: 'qrcode', id: input.path?.id ?? '' }] : []
}

/**
 * A webhook of each type, one whose URL has a query, and one of another partner, with each cause of an event. Returns the
 * one with the query, to which something was delivered.
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
  await settle(context, [all, used, ...others], await arrivals(context, [all, used, ...typed], expected))
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
  const took = await arrivals(context, [all, resumed, there], await cancelCode(context, 'Immediate'))
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

/** Milliseconds by which an attempt may be late, and those that a run waits for one where the clock cannot be moved. */
const SPARE = 8_500
const MOST = 60_000

/** Receivers that fail, a secret that is rotated, and webhooks that are deleted or paused while an attempt is due. */
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
    return isDone || it?.inbox.waitFor((next) => next !== first && next.completeAt > first.completeAt)
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

/** Follows the schedule of attempts, and causes events before and after the end of an old secret. */
async function tryLater(context: PlanContext, { all, rotated, dead, waits }: Later): Promise<void> {
  const overlap = durationMs(behaviour.deliveries.overlap.duration)
  const due = waits.map((_, i) => ({ at: sumOf(waits.slice(0, i + 1)) + SPARE * (i + 1), isAttempt: true }))
  const causes = [-HOUR, HOUR].map((it) => ({ at: overlap + it, isAttempt: false }))
  let now = 0
  let failing = dead
  for (const { at, isAttempt } of [...due, ...causes].toSorted((a, b) => a.at - b.at)) {
    const { inbox } = failing ?? {}
    const count = inbox?.deliveries.length ?? 0
    if (!(await pass(context, at - now))) return
    now = at
    if (inbox && isAttempt && !(await inbox.waitFor((it) => inbox.deliveries.indexOf(it) >= count))) {
      // An attempt that does not come is missing if the service still delivers.
      await control(context, all)
      failing = undefined
    } else if (!isAttempt && rotated)
      await arrivals(context, [all, rotated], await cancelCode(context, 'Immediate'))
  }
}

import { durationMs, stringAt } from '../contract/json.ts'
import type { RecordedDelivery } from '../history.ts'
import type { DeliveryResponse, Inbox } from '../send/receiver.ts'
import type { Plan, PlanContext } from './plan.ts'
import { validRequest } from './valid.ts'

/** Webhooks with receivers of this run, and changes that cause each event. */
export const deliveries: Plan = {
  id: 'deliveries',
  says: 'Receives the events of each cause, with receivers that fail, and with webhooks that change.',
  wants: [
    'deliveries-sent',
    'deliveries-once',
    'deliveries-subscribed',
    'deliveries-shaped',
    'deliveries-shown',
    'deliveries-signed',
    'deliveries-secrets',
    'deliveries-retried',
  ],
  async run(context) {
    const { receiver, contract, isChosen } = context
    const operations = Object.values(contract.behaviour.resources?.webhook?.operations ?? {})
    if (!receiver || !operations.some(isChosen)) return
    const listeners = await openListeners(context)
    if (listeners && (await tryCauses(context, listeners))) {
      await tryUpdates(context, listeners.all)
      await tryAttempts(context, listeners.all)
    }
  },
}

/** Milliseconds without a delivery after which none is expected any more, and how often a run waits for them. */
const GRACE = 250
const MOST_WAITS = 20

/** A webhook of the run, with its inbox. */
interface Subscriber {
  readonly inbox: Inbox
  /** The URL that it registered. */
  readonly url: string
  readonly path: { readonly webhook_id: string }
  readonly type: string
  readonly by: 'partner' | 'other'
}

interface Subscription {
  readonly type?: string
  readonly by?: 'partner' | 'other'
  readonly respond?: (delivery: RecordedDelivery) => DeliveryResponse
  readonly query?: string
}

async function subscribe(
  { send, receiver }: PlanContext,
  { type = 'all', by = 'partner', respond = () => 204, query = '' }: Subscription = {},
): Promise<Subscriber | undefined> {
  const inbox = receiver?.open(respond)
  if (!inbox) return undefined
  const url = inbox.url + query
  const { json } = await send('createWebhook', { body: { url, type }, by })
  const webhook_id = stringAt(json, '/id')
  return webhook_id === undefined ? undefined : { inbox, url, path: { webhook_id }, type, by }
}

/** Waits until deliveries that must not come, or that come twice, would have arrived. */
async function settle({ wait }: PlanContext, subscribers: readonly Subscriber[]): Promise<void> {
  const count = () => sumOf(subscribers.map(({ inbox }) => inbox.deliveries.length))
  for (let i = 0, before = -1; i < MOST_WAITS && before !== count(); i++) {
    before = count()
    await wait(GRACE)
  }
}

async function end({ send }: PlanContext, subscribers: readonly (Subscriber | undefined)[]): Promise<void> {
  for (const it of subscribers) if (it) await send('deleteWebhook', { path: it.path, by: it.by })
}

function update({ send }: PlanContext, { url, path, type }: Subscriber, changes: object) {
  return send('updateWebhook', { path, body: { url, type, status: 'active', ...changes } })
}

interface Listeners {
  readonly all: Subscriber
  /** Those that receive only some events, or that have something special. */
  readonly others: readonly Subscriber[]
}

/** A webhook of each type, one whose URL has a query, and one of another partner. */
async function openListeners(context: PlanContext): Promise<Listeners | undefined> {
  const all = await subscribe(context)
  if (!all) return undefined
  const { json } = await context.send('getWebhook', { path: all.path })
  if (stringAt(json, '/status') !== 'active') await update(context, all, {})
  const others = [
    await subscribe(context, { query: '?to=me' }),
    await subscribe(context, { type: 'transfer' }),
    await subscribe(context, { type: 'qrcode' }),
    context.has('other') ? await subscribe(context, { by: 'other' }) : undefined,
  ]
  return { all, others: others.filter((it) => it !== undefined) }
}

/** The examples of transfers: the payment of a code of each kind, and of a key. */
const [IMMEDIATE, DUE_DATE, KEY] = [1, 2, 3]

/** An event that must arrive: the type of webhook that receives it, and the id or code of its record. */
interface Expected {
  readonly type: 'transfer' | 'qrcode'
  readonly id: string | undefined
}

/** Whether any event arrived. */
async function tryCauses(context: PlanContext, { all, others }: Listeners): Promise<boolean> {
  const expected = [
    ...(await cancelCode(context, 'Immediate')),
    ...(await cancelCode(context, 'DueDate')),
    ...(await pay(context, KEY, 'partner')),
    ...(await pay(context, KEY, 'customer')),
    ...(await pay(context, IMMEDIATE, 'customer')),
    ...(await pay(context, DUE_DATE, 'customer')),
    // The partner pays its own code, which services reject.
    ...(await pay(context, IMMEDIATE, 'partner')),
  ]
  const own = others.filter(({ by }) => by === 'partner')
  const arrived = await arrivals([all, ...own], expected)
  if (!arrived) await control(context, all)
  await settle(context, [all, ...others])
  await end(context, others)
  return all.inbox.deliveries.length > 0
}

/** Waits until all webhooks have what they subscribe to. Returns whether they have. */
async function arrivals(subscribers: readonly Subscriber[], expected: readonly Expected[]): Promise<boolean> {
  const waits = subscribers.flatMap(({ inbox, url, type }) =>
    expected
      .filter((it) => type === 'all' || type === it.type)
      .map((it) => inbox.waitFor((delivery) => delivery.url === url && isAbout(it)(delivery))),
  )
  return (await Promise.all(waits)).every((it) => it !== undefined)
}

function isAbout({ id = '' }: Expected): (delivery: RecordedDelivery) => boolean {
  return ({ text }) => id === '' || text.includes(id)
}

/** Causes new events, which show whether the service still delivers. */
async function control(context: PlanContext, { inbox }: Subscriber): Promise<void> {
  const expected = [...(await pay(context, KEY, 'partner')), ...(await cancelCode(context, 'Immediate'))]
  await inbox.waitFor((delivery) => expected.some((it) => isAbout(it)(delivery)))
}

/** Cancels a code, and again, which changes nothing. */
async function cancelCode(context: PlanContext, kind: 'Immediate' | 'DueDate'): Promise<Expected[]> {
  const operation = `cancel${kind}QrCode`
  const input = await validRequest(context, operation)
  if (!input) return []
  const { isAccepted } = await context.send(operation, input)
  await context.send(operation, input)
  return isAccepted ? [{ type: 'qrcode', id: input.path?.id }] : []
}

/** Pays a key or a code. The event of a code that was paid shows it. */
async function pay(context: PlanContext, example: number, by: 'partner' | 'customer'): Promise<Expected[]> {
  const input = await validRequest(context, 'createTransfer', { example, by })
  const { isAccepted, json } = input ? await context.send('createTransfer', input) : NOT_PAID
  if (!isAccepted) return []
  const emv = by === 'customer' ? stringAt(input?.body, '/emv') : undefined
  const transfer: Expected = { type: 'transfer', id: stringAt(json, '/id') }
  return emv === undefined ? [transfer] : [transfer, { type: 'qrcode', id: emv }]
}

const NOT_PAID = { isAccepted: false, json: undefined }

/** Changes webhooks in each way, then causes one event. */
async function tryUpdates(context: PlanContext, all: Subscriber): Promise<void> {
  const { send, receiver } = context
  const [moved, narrowed, paused, resumed, removed] = [
    await subscribe(context),
    await subscribe(context),
    await subscribe(context),
    await subscribe(context),
    await subscribe(context),
  ]
  const target = receiver?.open()
  if (moved && target) await update(context, moved, { url: target.url })
  if (narrowed) await update(context, narrowed, { type: 'transfer' })
  for (const it of [paused, resumed]) if (it) await update(context, it, { status: 'inactive' })
  if (resumed) await update(context, resumed, {})
  if (removed) await send('deleteWebhook', { path: removed.path })
  const expected = await cancelCode(context, 'Immediate')
  const receiving = [all, ...(resumed ? [resumed] : [])]
  const isThere = (
    moved && target ? [...receiving, { ...moved, ...{ inbox: target, url: target.url } }] : receiving
  ) as Subscriber[]
  if (!(await arrivals(isThere, expected))) await control(context, all)
  await settle(context, [all, ...(resumed ? [resumed] : [])])
  await end(context, [moved, narrowed, paused, resumed])
}

/** Milliseconds that a slow receiver takes: less than any timeout of a service. */
const SLOW = 800

/** The first responses of receivers; all later ones are 204. */
function firstResponses(elsewhere: string): readonly DeliveryResponse[] {
  return [
    ...[200, 202, 500, 503, 429, 404, 400],
    { status: 204, afterMs: SLOW },
    { status: 302, location: elsewhere },
    'broken off',
  ]
}

/** Each attempt of the first event gets a 500. */
function failForFirst(): NonNullable<Subscription['respond']> {
  let first: string | undefined
  return ({ headers }) => {
    first ??= headers['webhook-id']
    return headers['webhook-id'] === first ? 500 : 204
  }
}

/** Each first attempt gets this response, and each later one 204. */
function once(response: DeliveryResponse): NonNullable<Subscription['respond']> {
  const messages = new Set<string | undefined>()
  return ({ headers }) => {
    const message = headers['webhook-id']
    const isFirst = !messages.has(message)
    messages.add(message)
    return isFirst ? response : 204
  }
}

/** Milliseconds by which an attempt may be late, and those that a run waits for one where the clock cannot be moved. */
const SPARE = 8_500
const MOST = 60_000

/** Receivers that fail, a secret that is rotated, and a webhook that is deleted while an attempt is due. */
async function tryAttempts(context: PlanContext, all: Subscriber): Promise<void> {
  const { send, receiver, contract } = context
  const elsewhere = receiver?.open()
  const failing: Subscriber[] = []
  for (const response of firstResponses(elsewhere?.url ?? '')) {
    const subscriber = await subscribe(context, { respond: once(response) })
    if (subscriber) failing.push(subscriber)
  }
  const [removed, dead] = [
    await subscribe(context, { respond: () => 500 }),
    await subscribe(context, { respond: failForFirst() }),
  ]
  const rotated = await subscribe(context)
  if (rotated) await send('rotateWebhookSecret', { path: rotated.path })
  const expected = await cancelCode(context, 'Immediate')
  await arrivals(
    [all, rotated, dead, removed, ...failing].flatMap((it) => it ?? []),
    expected,
  )
  await settle(context, [all, ...failing])
  await end(context, [removed])
  const [first = 0, ...waits] = (contract.behaviour.deliveries?.waits ?? []).map(durationMs)
  if (await pass(context, first + SPARE)) {
    const isRetried = await again([...failing, ...(dead ? [dead] : [])])
    if (!isRetried) await control(context, all)
    await settle(context, failing)
    await end(context, failing)
    if (context.clock.isControlled)
      await tryLater(context, { all, rotated, dead: isRetried ? dead : undefined, waits })
  }
  await end(context, [rotated, dead])
}

/** Moves the clock of a sandbox, or waits. */
async function pass({ clock, wait }: PlanContext, ms: number): Promise<boolean> {
  if (clock.isControlled) return clock.advance(ms / 1000)
  if (ms > MOST) return false
  await wait(ms)
  return true
}

/** Waits until each message that failed was attempted again. */
async function again(subscribers: readonly Subscriber[]): Promise<boolean> {
  const waits = subscribers.map(({ inbox }) => {
    const [first] = inbox.deliveries
    const isDone = !first || (first.status >= 200 && first.status < 300)
    return isDone || inbox.waitFor((it) => it !== first && it.completeAt - first.completeAt > 0)
  })
  return (await Promise.all(waits)).every((it) => it !== undefined)
}

interface Later {
  readonly all: Subscriber
  readonly rotated: Subscriber | undefined
  /** A webhook whose receiver always fails. */
  readonly dead: Subscriber | undefined
  /** Milliseconds between its next attempts. */
  readonly waits: readonly number[]
}

const HOUR = 3_600_000

/** Follows the schedule of attempts, and causes events before and after the end of an old secret. */
async function tryLater(context: PlanContext, { all, rotated, dead, waits }: Later): Promise<void> {
  const overlap = durationMs(context.contract.behaviour.deliveries?.overlap.duration ?? 'PT0S')
  const due = waits.map((_, i) => ({ at: sumOf(waits.slice(0, i + 1)) + SPARE * (i + 1), isAttempt: true }))
  const causes = [-HOUR, HOUR].map((it) => ({ at: overlap + it, isAttempt: false }))
  let now = 0
  for (const { at, isAttempt } of [...due, ...causes].toSorted((a, b) => a.at - b.at)) {
    const count = dead?.inbox.deliveries.length ?? 0
    if (!(await pass(context, at - now))) return
    now = at
    if (isAttempt) await dead?.inbox.waitFor((it) => dead.inbox.deliveries.indexOf(it) >= count)
    else if (rotated) await arrivals([all, rotated], await cancelCode(context, 'Immediate'))
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, it) => sum + it, 0)
}

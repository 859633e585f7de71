import { stringAt } from '../contract/json.ts'
import type { RecordedDelivery } from '../history.ts'
import type { DeliveryResponse, Inbox } from '../send/receiver.ts'
import type { Outcome } from '../send/sender.ts'
import { validBody } from './bodies.ts'
import type { PlanContext } from './plan.ts'
import { type CodeKind, IMMEDIATE_CODES } from './records.ts'
import { sendValid } from './send-valid.ts'
import { createRecord, payerFor } from './valid-requests.ts'

/** Milliseconds without a delivery after which none is expected any more. */
const LEAST_GRACE_MS = 50
const MOST_GRACE_MS = 1_000
/** How often a run waits for them. */
const MOST_WAITS = 20

export interface Subscription {
  readonly type?: string
  readonly by?: 'partner' | 'other'
  readonly respond?: (delivery: RecordedDelivery) => DeliveryResponse
  readonly query?: string
}

/** A webhook of the run, with its inbox and the URL that it registered. */
export interface Subscriber extends Required<Pick<Subscription, 'type' | 'by'>> {
  readonly inbox: Inbox
  readonly url: string
  readonly path: { readonly webhook_id: string }
}

/** Undefined for a webhook that the service refused. */
export type Subscribed = Subscriber | undefined

export async function subscribe(
  context: PlanContext,
  { type = 'all', by = 'partner', respond, query = '' }: Subscription = {},
): Promise<Subscribed> {
  const inbox = context.receiver?.open(respond)
  if (!inbox) return undefined
  const url = inbox.url + query
  const { id } = await createRecord(context, 'createWebhook', { body: { url, type }, by })
  return id === undefined ? undefined : { inbox, url, path: { webhook_id: id }, type, by }
}

export async function subscribeEach(
  context: PlanContext,
  all: readonly Subscription[],
): Promise<readonly Subscribed[]> {
  return context.sideBySide(all, (subscription) => subscribe(context, subscription))
}

export async function update(
  { send }: PlanContext,
  webhook: Subscribed,
  changes: object,
): Promise<void> {
  if (!webhook) return
  const { url, path, type } = webhook
  await send('updateWebhook', { path, body: { url, type, status: 'active', ...changes } })
}

export async function end(
  { send, sideBySide }: PlanContext,
  webhooks: readonly Subscribed[],
): Promise<void> {
  const open = webhooks.filter((webhook) => webhook !== undefined)
  await sideBySide(open, ({ path, by }) => send('deleteWebhook', { path, by }))
}

/**
 * Waits until deliveries that must not come, or that come twice, would have arrived: twice as long
 * as those that must come took.
 */
export async function settle(
  { wait }: PlanContext,
  webhooks: readonly Subscribed[],
  took: number,
): Promise<void> {
  const graceMs = Math.min(MOST_GRACE_MS, Math.max(LEAST_GRACE_MS, 2 * took))
  const countDeliveries = () =>
    sumOf(webhooks.map((webhook) => webhook?.inbox.deliveries.length ?? 0))
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    const before = countDeliveries()
    await wait(graceMs)
    if (countDeliveries() === before) return
  }
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, it) => sum + it, 0)
}

/**
 * An event that must arrive: the type of webhook that receives it, and the id or code of its
 * record.
 */
interface Expected {
  readonly type: 'transfer' | 'qrcode'
  readonly id: string
  /** The type of the event, where others show the same id. */
  readonly event?: string
}

/**
 * Waits until all webhooks have what they subscribe to. If one has not, causes events that show
 * whether any is sent. Returns the milliseconds that the deliveries took.
 */
export async function arrivals(
  context: PlanContext,
  webhooks: readonly Subscribed[],
  expected: readonly Expected[],
): Promise<number> {
  const began = performance.now()
  const waits: Promise<RecordedDelivery | undefined>[] = []
  for (const webhook of webhooks)
    for (const event of expected) {
      if (!webhook || !isSubscribedTo(webhook, event)) continue
      const isDelivery = ({ url, text }: RecordedDelivery) =>
        url === webhook.url && text.includes(event.id) && text.includes(event.event ?? '')
      waits.push(webhook.inbox.waitFor(isDelivery))
    }
  const deliveries = await Promise.all(waits)
  const took = performance.now() - began
  const haveAllArrived = deliveries.every((delivery) => delivery !== undefined)
  if (!haveAllArrived) await control(context, webhooks[0])
  return took
}

function isSubscribedTo({ type }: Subscriber, event: Expected): boolean {
  return type === 'all' || type === event.type
}

/** Causes new events, which show whether the service still delivers. */
export async function control(context: PlanContext, webhook: Subscribed): Promise<void> {
  const expected = [
    ...(await pay(context, KEY, 'partner')),
    ...(await cancelCode(context, IMMEDIATE_CODES)),
  ]
  await webhook?.inbox.waitFor(({ text }) => expected.some(({ id }) => text.includes(id)))
}

/** The examples of transfers: the payment of a code of each kind, and of a key. */
export const STATIC = 0
export const IMMEDIATE = 1
export const DUE_DATE = 2
export const KEY = 3

/**
 * Pays a key or a code. The event of the transfer is for who pays, and those of the code and of the
 * credit for the partner that created it.
 */
export async function pay(
  context: PlanContext,
  example: number,
  by: 'partner' | 'customer' | 'other',
): Promise<Expected[]> {
  const paid = await sendValid(context, 'createTransfer', { example, by })
  if (!paid?.isAccepted) return []
  const expected: Expected[] = []
  // Another partner gets the event of its transfer itself.
  if (by !== 'other') expected.push({ type: 'transfer', id: stringAt(paid.json, '/id') ?? '' })
  // A service may reject the payment of a partner's own code, after which the code stays open.
  const emv = by === 'partner' ? undefined : stringAt(paid.input.body, '/emv')
  if (emv === undefined) return expected

  // A static code has no event of its own.
  if (example !== STATIC) expected.push({ type: 'qrcode', id: emv })
  return [...expected, ...creditOf(paid)]
}

/** Pays the key with which the partner creates codes. */
export async function payPartner(
  context: PlanContext,
  by: 'customer' | 'other',
): Promise<Expected[]> {
  const { dict_key } = validBody(context, 'createStaticQrCode')
  const payer = payerFor(context, by)
  const { json } = await context.send('checkKey', { body: { dict_key }, by: payer })
  const initiation_id = stringAt(json, '/initiation_id')
  if (initiation_id === undefined) return []

  const body = { type: 'dict', amount: '0.01', description: 'Pedido 1003', initiation_id, dict_key }
  const paid = await context.send('createTransfer', { body, by: payer })
  return paid.isAccepted ? creditOf(paid) : []
}

function creditOf({ json }: Outcome): Expected[] {
  const id = stringAt(json, '/data/end_to_end_id')
  return id ? [{ type: 'transfer', id, event: 'transfer.received' }] : []
}

/** Cancels a code, and again, which changes nothing. */
export async function cancelCode(context: PlanContext, { cancel }: CodeKind): Promise<Expected[]> {
  const cancelled = await sendValid(context, cancel)
  if (!cancelled) return []
  const { isAccepted, input } = cancelled
  await context.send(cancel, input)
  return isAccepted ? [{ type: 'qrcode', id: input.path?.id ?? '' }] : []
}

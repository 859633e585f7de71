import { stringAt } from '../contract/json.ts'
import { ACTIVE, CREDIT_EVENT } from '../contract/words.ts'
import type { RecordedDelivery } from '../history.ts'
import type { DeliveryResponse, Inbox } from '../send/receiver.ts'
import type { Outcome } from '../send/requests.ts'
import { validBody } from './bodies.ts'
import type { PlanContext } from './plan.ts'
import { type CodeKind, IMMEDIATE_CODES } from './records.ts'
import { sendValidRequest } from './send-valid.ts'
import {
  createRecord,
  EXAMPLE,
  findPayer,
  prepareValidRequest,
  TOO_MUCH,
  withAmount,
} from './valid-requests.ts'

/**
 * Webhooks whose deliveries this run receives, the payments and cancellations that cause their events,
 * and the waits for deliveries.
 */

/** A webhook that the run has created, with the inbox that gets its deliveries. */
export interface ReceivingWebhook {
  readonly type: string
  readonly by: 'partner' | 'other'
  /** The URL that it registered. */
  readonly url: string
  readonly path: { readonly webhook_id: string }
  readonly inbox: Inbox
}

/** The response to a delivery: `{ status: 500 }`. */
export type Respond = (delivery: RecordedDelivery) => DeliveryResponse

export interface WebhookOptions {
  /** The events that it gets. Default: all. */
  readonly type?: string
  /** The partner that owns it. Default: the one of the run. */
  readonly by?: 'partner' | 'other'
  /** Default: each delivery gets a 204. */
  readonly respond?: Respond
  /** What follows the path of its URL, such as `?to=me`. */
  readonly query?: string
}

/** Creates a webhook at an inbox of its own. Undefined if the service refuses it. */
export async function createReceivingWebhook(
  context: PlanContext,
  { type = 'all', by = 'partner', respond, query = '' }: WebhookOptions = {},
): Promise<ReceivingWebhook | undefined> {
  const inbox = context.receiver?.open(respond)
  if (!inbox) return undefined

  const url = inbox.url + query
  const { id } = await createRecord(context, 'createWebhook', { body: { url, type }, by })
  if (id === undefined) return undefined
  return { inbox, url, path: { webhook_id: id }, type, by }
}

/** Creates several webhooks. Each that is refused is undefined in the result. */
export async function createReceivingWebhooks(
  context: PlanContext,
  options: readonly WebhookOptions[],
): Promise<readonly (ReceivingWebhook | undefined)[]> {
  return context.sideBySide(options, (each) => createReceivingWebhook(context, each))
}

/** Sends all fields of a webhook, active again, with some changes: `{ status: INACTIVE }`. */
export async function updateWebhook(
  { send }: PlanContext,
  webhook: ReceivingWebhook | undefined,
  changes: object,
): Promise<void> {
  if (!webhook) return
  const { url, path, type } = webhook
  await send('updateWebhook', { path, body: { url, type, status: ACTIVE, ...changes } })
}

/** Deletes those webhooks that exist. */
export async function deleteWebhooks(
  { send, sideBySide }: PlanContext,
  webhooks: readonly (ReceivingWebhook | undefined)[],
): Promise<void> {
  const existing = webhooks.filter((webhook) => webhook !== undefined)
  await sideBySide(existing, ({ path, by }) => send('deleteWebhook', { path, by }))
}

/** An event that the service must deliver. */
export interface ExpectedEvent {
  /** The type of webhooks that get it. */
  readonly webhookType: 'transfer' | 'qrcode'
  /** A text of its delivery: the id or the code of its record. */
  readonly text: string
  /** The event, such as `transfer.received`, where other events have the same text. */
  readonly event?: string
}

/**
 * Waits until each webhook has the events that it must get. If one is missing, causes other events,
 * whose deliveries show that the service could have sent it. Returns how long the deliveries took, in
 * milliseconds.
 */
export async function waitForDeliveries(
  context: PlanContext,
  webhooks: readonly (ReceivingWebhook | undefined)[],
  events: readonly ExpectedEvent[],
): Promise<number> {
  const startedAt = performance.now()
  const existing = webhooks.filter((webhook) => webhook !== undefined)
  const waits = existing.flatMap((webhook) =>
    events
      .filter((event) => isSubscribedTo(webhook, event))
      .map((event) => waitFor(webhook, event)),
  )
  const deliveries = await Promise.all(waits)
  const tookMs = performance.now() - startedAt

  const haveAllArrived = deliveries.every((delivery) => delivery !== undefined)
  if (!haveAllArrived) await showThatServiceDelivers(context, webhooks[0])
  return tookMs
}

function isSubscribedTo({ type }: ReceivingWebhook, { webhookType }: ExpectedEvent): boolean {
  return type === 'all' || type === webhookType
}

/** Waits for the delivery of an event at the URL of a webhook. Undefined if none comes. */
function waitFor(
  webhook: ReceivingWebhook,
  expected: ExpectedEvent,
): Promise<RecordedDelivery | undefined> {
  const { event = '' } = expected
  return webhook.inbox.waitFor(
    ({ url, text }) => url === webhook.url && text.includes(expected.text) && text.includes(event),
  )
}

/**
 * Causes new events, and waits until a webhook gets one. A delivery that is missing is a failure only
 * if the service still delivers others.
 */
export async function showThatServiceDelivers(
  context: PlanContext,
  webhook: ReceivingWebhook | undefined,
): Promise<void> {
  const events = [
    ...(await pay(context, EXAMPLE.key, 'partner')),
    ...(await cancelCode(context, IMMEDIATE_CODES)),
  ]
  await webhook?.inbox.waitFor((delivery) =>
    events.some((event) => delivery.text.includes(event.text)),
  )
}

/** The shortest and the longest wait for one more delivery, and how often a run waits for another. */
const MIN_GRACE_MS = 50
const MAX_GRACE_MS = 1_000
const MAX_WAITS = 20

/**
 * Waits until no more deliveries come to some webhooks, so that those that must not come, or that come
 * twice, are seen. Each wait is twice as long as deliveries took before.
 */
export async function waitForUnexpectedDeliveries(
  { wait }: PlanContext,
  webhooks: readonly (ReceivingWebhook | undefined)[],
  tookMs: number,
): Promise<void> {
  const graceMs = Math.min(MAX_GRACE_MS, Math.max(MIN_GRACE_MS, 2 * tookMs))
  const countDeliveries = () =>
    sumOf(webhooks.map((webhook) => webhook?.inbox.deliveries.length ?? 0))
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const countBefore = countDeliveries()
    await wait(graceMs)
    if (countDeliveries() === countBefore) return
  }
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/**
 * Pays the key or the code of an example of createTransfer. Returns the events that the partner must
 * get: of its transfer if it paid, and of its code and its credit if its code was paid.
 */
export async function pay(
  context: PlanContext,
  example: number,
  by: 'partner' | 'customer' | 'other',
): Promise<ExpectedEvent[]> {
  const paid = await sendValidRequest(context, 'createTransfer', { example, by })
  if (!paid?.isAccepted) return []

  const events: ExpectedEvent[] = []
  // Another partner gets the event of its transfer itself.
  const transferId = stringAt(paid.json, '/id') ?? ''
  if (by !== 'other') events.push({ webhookType: 'transfer', text: transferId })

  // A service may reject the payment of a partner's own code, after which the code stays open.
  const emv = by === 'partner' ? undefined : stringAt(paid.input.body, '/emv')
  if (emv === undefined) return events

  // A static code has no event of its own.
  if (example !== EXAMPLE.staticCode) events.push({ webhookType: 'qrcode', text: emv })
  return [...events, ...creditEvents(paid)]
}

/** Pays the key with which the partner creates codes. Returns the event of the partner's credit. */
export async function payKeyOfPartner(
  context: PlanContext,
  by: 'customer' | 'other',
): Promise<ExpectedEvent[]> {
  const { dict_key } = validBody(context, 'createStaticQrCode')
  const payer = findPayer(context, by)
  const { json } = await context.send('checkKey', { body: { dict_key }, by: payer })
  const initiation_id = stringAt(json, '/initiation_id')
  if (initiation_id === undefined) return []

  const body = { type: 'dict', amount: '0.01', description: 'Pedido 1003', initiation_id, dict_key }
  const paid = await context.send('createTransfer', { body, by: payer })
  return paid.isAccepted ? creditEvents(paid) : []
}

/** Pays more than any account holds, which a service may accept, and reject later. */
export async function payTooMuch(context: PlanContext): Promise<ExpectedEvent[]> {
  const input = await prepareValidRequest(context, 'createTransfer', {
    example: EXAMPLE.key,
    by: 'customer',
  })
  if (!input) return []

  for (const amount of TOO_MUCH) {
    const { json, isAccepted } = await context.send('createTransfer', withAmount(input, amount))
    if (isAccepted) return [{ webhookType: 'transfer', text: stringAt(json, '/id') ?? '' }]
  }
  return []
}

/** The event of the partner whose account a transfer credits; none without an end-to-end id. */
function creditEvents({ json }: Outcome): ExpectedEvent[] {
  const endToEndId = stringAt(json, '/data/end_to_end_id')
  if (!endToEndId) return []
  return [{ webhookType: 'transfer', text: endToEndId, event: CREDIT_EVENT }]
}

/**
 * Cancels a new code twice, the second time without an effect. Returns the event of the cancellation;
 * none if it was refused.
 */
export async function cancelCode(
  context: PlanContext,
  { cancel }: CodeKind,
): Promise<ExpectedEvent[]> {
  const cancelled = await sendValidRequest(context, cancel)
  if (!cancelled) return []

  const { isAccepted, input } = cancelled
  await context.send(cancel, input)
  return isAccepted ? [{ webhookType: 'qrcode', text: input.path?.id ?? '' }] : []
}

import { stringAt } from '../contract/json.ts'
import { ACTIVE } from '../contract/words.ts'
import type { RecordedDelivery } from '../history.ts'
import type { DeliveryResponse, Inbox } from '../send/receiver.ts'
import { cancelCode, type ExpectedEvent, payExample } from './caused-events.ts'
import type { PlanContext } from './plan.ts'
import { IMMEDIATE_CODES } from './records.ts'
import { createRecord, EXAMPLE } from './valid-requests.ts'

/** Webhooks whose deliveries this run receives, and the waits for deliveries. */

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

/**
 * Creates a webhook with a URL of its own at the receiver of this run. The inbox records what arrives at
 * this URL. Undefined if no delivery can reach this machine, or the service refuses the webhook.
 */
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

/** Activates a webhook, if the service created it as an inactive one. */
export async function activate(context: PlanContext, webhook: ReceivingWebhook): Promise<void> {
  const { json } = await context.send('getWebhook', { path: webhook.path })
  const isActive = stringAt(json, '/status') === ACTIVE
  if (!isActive) await updateWebhook(context, webhook, {})
}

/** Creates several webhooks. Each that is refused is undefined in the result. */
export async function createReceivingWebhooks(
  context: PlanContext,
  options: readonly WebhookOptions[],
): Promise<readonly (ReceivingWebhook | undefined)[]> {
  return context.sideBySide(options, (each) => createReceivingWebhook(context, each))
}

/**
 * Updates a webhook with `changes`, such as `{ status: INACTIVE }`. An update sends all fields, so that
 * those without a change are sent as they were, and the webhook is active unless `changes` says otherwise.
 */
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

/**
 * Waits until each webhook has got the events that it is subscribed to. If one does not come in time, causes other
 * events: only if their deliveries come is the missing one a failure. Returns how long the wait took, in milliseconds.
 *
 * @param webhooks The first one also gets the other events, so that it must be subscribed to all.
 */
export async function waitForDeliveries(
  context: PlanContext,
  webhooks: readonly (ReceivingWebhook | undefined)[],
  events: readonly ExpectedEvent[],
): Promise<number> {
  const startedAt = performance.now()
  const waits: Promise<RecordedDelivery | undefined>[] = []
  for (const webhook of webhooks) {
    if (!webhook) continue
    const itsEvents = events.filter((event) => isSubscribedTo(webhook, event))
    for (const event of itsEvents) waits.push(waitForDelivery(webhook, event))
  }
  const deliveries = await Promise.all(waits)
  const tookMs = performance.now() - startedAt

  const isOneMissing = deliveries.includes(undefined)
  if (isOneMissing) await showThatServiceDelivers(context, webhooks[0])
  return tookMs
}

/** Whether a webhook gets an event: one of type `qrcode` gets those of codes, and one of type `all` every event. */
function isSubscribedTo({ type }: ReceivingWebhook, { webhookType }: ExpectedEvent): boolean {
  return type === 'all' || type === webhookType
}

/**
 * Waits for the delivery of an event at the URL of a webhook, and returns it. Undefined if none comes in
 * time.
 */
function waitForDelivery(
  { inbox, url }: ReceivingWebhook,
  event: ExpectedEvent,
): Promise<RecordedDelivery | undefined> {
  return inbox.waitFor((delivery) => delivery.url === url && hasEvent(delivery, event))
}

/** Whether a delivery is that of an event: its text has the id of the record and, if the event is named, its name. */
function hasEvent({ text }: RecordedDelivery, expected: ExpectedEvent): boolean {
  if (!text.includes(expected.text)) return false
  // Without a name, any event of the record counts.
  return expected.event === undefined || text.includes(expected.event)
}

/**
 * Causes new events by a payment and a cancellation, and waits until a webhook gets one of them. It only records the
 * deliveries: rules call a missing one a failure only if the service still delivered others later.
 */
export async function showThatServiceDelivers(
  context: PlanContext,
  webhook: ReceivingWebhook | undefined,
): Promise<void> {
  const events = [
    ...(await payExample(context, EXAMPLE.key, 'partner')),
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
 * Waits until no more deliveries arrive at some webhooks, so that the history also has those that must not come, or
 * that come twice. Ends after twenty waits at the latest.
 *
 * @param tookMs How long deliveries took before. Each wait is as long again, within limits.
 * @param minMs The shortest wait, in milliseconds. Default: 50.
 */
export async function waitForUnexpectedDeliveries(
  { wait }: PlanContext,
  webhooks: readonly (ReceivingWebhook | undefined)[],
  tookMs: number,
  minMs = MIN_GRACE_MS,
): Promise<void> {
  const graceMs = Math.min(MAX_GRACE_MS, Math.max(minMs, tookMs))
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const countBefore = countDeliveries(webhooks)
    await wait(graceMs)
    const hasOneMore = countDeliveries(webhooks) > countBefore
    if (!hasOneMore) return
  }
}

/** How many deliveries have arrived at all of these webhooks. */
function countDeliveries(webhooks: readonly (ReceivingWebhook | undefined)[]): number {
  let count = 0
  for (const webhook of webhooks) count += webhook?.inbox.deliveries.length ?? 0
  return count
}

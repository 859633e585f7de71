import { verify } from '@partner-payments/webhooks'
import type { Context } from '../../../engine/context.ts'
import { eventually } from '../../../engine/eventually.ts'
import { nodeOf } from '../../../model/document.ts'
import type { Exchange, Identity, Input, RequestIdentity } from '../../../model/exchange.ts'
import { isSuccess } from '../../../model/exchange.ts'
import type { Answering, Delivery, Inbox } from '../../../transport/receiver.ts'
import { transfer, transferToKey } from '../payments.ts'

/** What rules of deliveries need: a webhook, and an event that moves no money. */
export const DELIVERING = ['createWebhook', 'createImmediateQrCode', 'cancelImmediateQrCode'] as const

/** Milliseconds to wait for a delivery that must not come. */
export const SILENCE = 700
/** Milliseconds after which what was not taken is sent again, by our answer to `delivery`, and some to spare. */
export const SECOND_ATTEMPT = 5_400

/** A webhook of the run's own. */
export interface Registered {
  readonly inbox: Inbox
  readonly created: Exchange
  readonly id: string
  readonly secret: string
}

export interface Registration {
  readonly type?: string
  readonly identity?: RequestIdentity
  readonly answer?: Answering
  /** Makes another URL of that of the inbox, whose last step has to stay. Default: the same. */
  readonly at?: (url: string) => string
}

/** Registers a webhook that points to a new inbox; undefined where the service refuses it. */
export async function register(
  context: Context,
  { type = 'all', identity = 'partner', answer, at = (url) => url }: Registration = {},
): Promise<Registered | undefined> {
  const inbox = context.receiver?.open(answer)
  const created =
    inbox &&
    (await context.accepted('createWebhook', { identity, set: { '/url': at(inbox.url), '/type': type } }))
  if (!inbox || !created) return undefined
  const { id, secret } = nodeOf(created.body)
  return { inbox, created, id: String(id), secret: String(secret) }
}

/** Causes qrcode.cancelled: creates a charge and cancels it. Gives the cancellation. */
export async function cause(context: Context): Promise<Exchange | undefined> {
  const created = await context.accepted('createImmediateQrCode')
  const id = nodeOf(created?.body).id
  if (typeof id !== 'string') return undefined
  const cancelled = await context.send(context.contract.operation('cancelImmediateQrCode'), { path: { id } })
  return isSuccess(cancelled) ? cancelled : undefined
}

/** The deliveries that are about a record, out of all that came. */
export function about(deliveries: readonly Delivery[], cancelled: Exchange): readonly Delivery[] {
  const { id } = nodeOf(cancelled.body)
  return deliveries.filter(({ text }) => text.includes(String(id)))
}

/** Their ids, each once: attempts at one delivery share it. */
export function idsOf(deliveries: readonly Delivery[]): readonly (string | undefined)[] {
  return [...new Set(deliveries.map(({ headers }) => headers['webhook-id']))]
}

/** The deliveries about a record, once there is one; none where patience ends. */
export function delivered(
  context: Context,
  { deliveries, patienceMs }: Inbox,
  cancelled: Exchange,
  patience = patienceMs,
): Promise<readonly Delivery[]> {
  return eventually(
    context,
    () => about(deliveries, cancelled),
    ({ length }) => length > 0,
    patience,
  )
}

/** Milliseconds within which what comes twice was sent twice at once, which at-least-once allows. */
const AT_ONCE = 2_500

/** Deliveries that are no more of the first attempt. */
export function laterOf([first, ...rest]: readonly Delivery[]): readonly Delivery[] {
  return rest.filter(({ at }) => first !== undefined && at - first.at > AT_ONCE)
}

/** One delivery, where a webhook could be registered and an event be caused. */
export async function oneDelivery(
  context: Context,
): Promise<{ registered: Registered; cancelled: Exchange; delivery: Delivery | undefined } | undefined> {
  const registered = await register(context)
  const cancelled = registered && (await cause(context))
  if (!registered || !cancelled) return undefined
  const [delivery] = await delivered(context, registered.inbox, cancelled)
  return { registered, cancelled, delivery }
}

/** Whether a delivery reaches the receiver. */
export async function hasDelivery(context: Context): Promise<boolean> {
  return (await oneDelivery(context))?.delivery !== undefined
}

export function place(context: Context) {
  return { operation: 'createWebhook', contract: context.contract.operation('createWebhook').pointer }
}

/** A transfer, and the delivery that tells how it ended, where one came; undefined where nothing could be paid or told. */
export async function transferTold(
  context: Context,
  made: () => Promise<Input | undefined> = () => transferToKey(context),
): Promise<{ paid: Exchange; delivery: Delivery | undefined } | undefined> {
  const registered = await register(context, { type: 'transfer' })
  const input = registered && (await made())
  const paid = input && (await transfer(context, input))
  if (!registered || !paid || !isSuccess(paid)) return undefined
  const [delivery] = await delivered(context, registered.inbox, paid)
  return { paid, delivery }
}

/**
 * Who waits for attempts. Of what the other partner does there is nothing else, so that its receivers, which fail or
 * take their time, hear of nothing but what a rule causes; a live service has its money.
 */
export function waiting({ target, identities }: Context): Identity {
  return target === 'sandbox' && identities.has('other') ? 'other' : 'partner'
}

/** Answers in another way than 204 where a delivery is about a record; about any, as long as that is not known. */
export function answering(meant: { id?: unknown }, answer: Answering): Answering {
  return (delivery, count) =>
    meant.id === undefined || delivery.text.includes(String(meant.id)) ? answer(delivery, count) : 204
}

/** Whether a secret signs a delivery, whenever that was: how old one may be is the matter of another rule. */
export function isSignedBy({ text, headers }: Delivery, secret: string): Promise<boolean> {
  const now = () => Number(headers['webhook-timestamp']) * 1000
  return verify(text, headers, secret, { now }).then(
    () => true,
    () => false,
  )
}

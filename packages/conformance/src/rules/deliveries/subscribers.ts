import type { Behaviour, Deliveries, Resource } from '@partner-payments/spec/behaviour'
import { verify, WebhookError } from '@partner-payments/webhooks'
import type { Context } from '../../engine/context.ts'
import { eventually } from '../../engine/eventually.ts'
import type { Rule } from '../../engine/rule.ts'
import { valueAt } from '../../model/document.ts'
import { type Exchange, type Identity, isSuccess } from '../../model/exchange.ts'
import type { Delivery, Inbox, RespondToDelivery } from '../../transport/receiver.ts'
import { recordIn } from '../common/declared-resources.ts'
import { questionsIn } from '../common/declared-sources.ts'
import { actOn } from '../common/record-requests.ts'
import { causeOne, type Occurrence } from './causes.ts'

/** Milliseconds to wait for a delivery that must not come. */
export const QUIET_MS = 700

/** Why a missing delivery is no finding on a busy machine. */
export const LATE = 'deliveries arrive too late to judge their times'

/** Milliseconds within which two deliveries count as one attempt, since deliveries may be duplicated. */
const ONE_ATTEMPT = 2_500

/** What spec/behaviour declares about deliveries. */
export interface Declared {
  readonly deliveries: Deliveries
  readonly resource: Resource
  /** The types of subscriptions, the one with the most events first. */
  readonly types: readonly string[]
}

/** The operations of subscriptions. */
function subscriptionOperations({ deliveries, resources = {} }: Behaviour): readonly string[] {
  return Object.values(resources[deliveries?.subscription.resource ?? '']?.operations ?? {})
}

/** The open questions that deliveries settle. */
function deliveryQuestions({ deliveries, events }: Behaviour): readonly string[] {
  return questionsIn({ deliveries, events })
}

/** What all rules about deliveries share. */
export const ABOUT_DELIVERIES = {
  cites: 'contract',
  needs: subscriptionOperations,
  questions: deliveryQuestions,
  stateful: true,
} as const satisfies Partial<Rule>

/** The declared deliveries; undefined if there are none. */
export function declaredDeliveries({ behaviour }: Pick<Context, 'behaviour'>): Declared | undefined {
  const { deliveries, events = {} } = behaviour
  const resource = behaviour.resources?.[deliveries?.subscription.resource ?? '']
  if (!deliveries || !resource) return undefined
  const all = Object.values(events).flatMap(({ subscribers }) => subscribers)
  const count = (type: string) => all.filter((it) => it === type).length
  return { deliveries, resource, types: [...new Set(all)].toSorted((a, b) => count(b) - count(a)) }
}

/** A record of the run's own that receives events. */
export interface Subscriber {
  readonly inbox: Inbox
  readonly created: Exchange
  readonly secret: string
}

export interface Subscription {
  readonly type?: string
  readonly identity?: Identity
  readonly respond?: RespondToDelivery
  /** Changes the URL of the inbox, but not its last step. */
  readonly at?: (url: string) => string
}

/** Subscribes a new inbox; undefined where the service refuses that. */
export async function subscribe(
  context: Context,
  { deliveries: { subscription }, resource, types }: Declared,
  { type = types[0], identity = 'partner', respond, at = (url) => url }: Subscription = {},
): Promise<Subscriber | undefined> {
  const inbox = context.receiver?.open(respond)
  const create = resource.operations.create ?? ''
  const set = inbox && { [subscription.url]: at(inbox.url), [subscription.type.field]: type }
  const created = set && (await context.accepted(create, { identity, set }))
  if (!inbox || !created) return undefined
  const read = await actOn(context, created, resource.operations.read, { identity })
  const state = read && resource.status && valueAt(recordIn(read.body, resource), resource.status)
  const wanted = subscription.receives.state
  if (state && state !== wanted && resource.states?.[String(state)])
    await actOn(context, created, resource.operations.update, {
      identity,
      set: { ...set, [resource.status ?? '']: wanted },
    })
  return { inbox, created, secret: String(valueAt(created.body, subscription.secret)) }
}

/** Updates fields of a subscription. Returns whether the service accepted that. */
export async function update(
  context: Context,
  { deliveries: { subscription }, resource, types }: Declared,
  { created, inbox }: Subscriber,
  set: { readonly url?: string; readonly type?: string; readonly state?: string },
): Promise<boolean> {
  const { url = inbox.url, type = types[0], state = subscription.receives.state } = set
  const values = { [subscription.url]: url, [subscription.type.field]: type, [resource.status ?? '']: state }
  const updated = await actOn(context, created, resource.operations.update, { set: values })
  return updated !== undefined && isSuccess(updated)
}

/** Where findings about deliveries are reported. */
export function placeIn(context: Context, { resource }: Declared, action = 'create') {
  const view = context.contract.operation(resource.operations[action] ?? resource.operations.create ?? '')
  return { operation: view.id, contract: view.pointer }
}

/** The deliveries about a record. */
export function about({ deliveries }: Inbox, { id }: Pick<Occurrence, 'id'>): readonly Delivery[] {
  return deliveries.filter(({ text }) => text.includes(id))
}

/** Times the wait for one delivery that a run waits at most while others still arrive. */
const MOST = 5

/**
 * The deliveries about a record, once there is one; none where the wait ends. A busy service delivers in turn: the wait
 * starts again with each delivery.
 */
export async function delivered(
  context: Context,
  inbox: Inbox,
  it: Pick<Occurrence, 'id'>,
  share = 1,
): Promise<readonly Delivery[]> {
  const began = performance.now()
  const waitMs = inbox.timeoutMs * share
  const isOver = () => isQuiet(inbox, waitMs) && performance.now() - began > waitMs
  await eventually(context, isOver, (over) => over || about(inbox, it).length > 0, waitMs * MOST)
  return about(inbox, it)
}

/** Whether no delivery has arrived for a time. */
export function isQuiet({ deliveries, timeoutMs }: Inbox, ms = timeoutMs): boolean {
  const { at = Number.NEGATIVE_INFINITY } = deliveries.at(-1) ?? {}
  return performance.now() - at > ms
}

/** The attempts after the first one. */
export function laterAttempts([first, ...rest]: readonly Delivery[]): readonly Delivery[] {
  return rest.filter(({ at }) => first !== undefined && at - first.at > ONE_ATTEMPT)
}

/** The id of a delivery, which all attempts share (Standard Webhooks 1.0.0). */
export function deliveryId({ headers }: Delivery): string | undefined {
  return headers['webhook-id']
}

/** The time of an attempt according to its header, in seconds since 1970. */
export function attemptedAt({ headers }: Delivery): number {
  return Number(headers['webhook-timestamp'])
}

/** Why a delivery does not verify; undefined where it does. */
export async function signatureFault(
  { text, headers }: Delivery,
  secret: string,
  now: () => number,
): Promise<string | undefined> {
  return verify(text, headers, secret, { now }).then(
    () => undefined,
    (error: unknown) => (error instanceof WebhookError ? error.code : 'unknown'),
  )
}

/** Whether a delivery is signed with a secret, whatever its age. */
export async function isSignedBy(delivery: Delivery, secret: string): Promise<boolean> {
  return (await signatureFault(delivery, secret, () => attemptedAt(delivery) * 1000)) === undefined
}

/** Whether a delivery reaches the receiver. */
export async function hasDelivery(context: Context): Promise<boolean> {
  const declared = declaredDeliveries(context)
  const subscriber = declared && (await subscribe(context, declared))
  const occurrence = subscriber && (await causeOne(context))
  if (!subscriber || !occurrence) return false
  return (await delivered(context, subscriber.inbox, occurrence)).length > 0
}

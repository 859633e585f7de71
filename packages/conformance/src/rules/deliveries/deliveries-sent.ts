import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Delivery, Inbox } from '../../transport/receiver.ts'
import { citing, type Source } from '../common/declared-sources.ts'
import { causesOf, type Occurrence } from './causes.ts'
import { eventName, eventTime, judgeEvent } from './judge-event.ts'
import {
  ABOUT_DELIVERIES,
  about,
  type Declared,
  declaredDeliveries,
  delivered,
  deliveryId,
  isQuiet,
  LATE,
  placeIn,
  QUIET_MS,
  type Subscriber,
  subscribe,
} from './subscribers.ts'

/** Causes each event in every way, and expects one delivery to each webhook that is subscribed to it. */
export const deliveriesSent: Rule = {
  id: 'deliveries-sent',
  phase: 'deliveries',
  ...ABOUT_DELIVERIES,
  impact: 'high',
  title:
    'Each event is delivered once to each webhook that is subscribed to it, with the current record, and to no other.',
  advice: 'Write the event in the transaction that changes the record, for the webhooks of its owner.',
  run: async (context) => {
    const declared = declaredDeliveries(context)
    if (!declared) return
    const listeners = await listenersOf(context, declared)
    const causes = causesOf(context).filter(({ identity }) => identity !== 'other')
    const all: Reported[] = []
    await context.each(causes, async ({ name, run }) => {
      const found = listeners.length > 0 ? await run() : []
      if (found.length === 0) context.inconclusive(`${name} was refused`)
      for (const occurrence of found) all.push(await report(context, { name, occurrence, all, listeners }))
    })
    await context.pause(QUIET_MS)
    for (const it of all) for (const listener of listeners) expectReceipt(context, declared, it, listener)
    for (const it of all)
      if (it.delivery)
        judgeEvent(context, { ...it, delivery: it.delivery, place: placeIn(context, declared) })
    expectOwnIds(context, declared, all)
  },
}

interface Listener {
  /** Stable words for messages. */
  readonly words: string
  readonly type: string
  readonly isOwner: boolean
  readonly subscriber: Subscriber
}

/** Webhooks of each type, one whose URL has a query, and one of another partner. */
async function listenersOf(context: Context, declared: Declared): Promise<Listener[]> {
  const [all = '', ...types] = declared.types
  const rows = [
    { words: `of type ${all}`, type: all },
    { words: 'with a query in its URL', type: all, at: withQuery },
    ...types.map((type) => ({ words: `of type ${type}`, type })),
    ...(context.identities.has('other')
      ? [{ words: 'of another partner', type: all, identity: 'other' as const }]
      : []),
  ]
  const listeners = rows.map(async ({ words, ...options }) => {
    const subscriber = await subscribe(context, declared, options)
    return subscriber ? [{ words, type: options.type, isOwner: !('identity' in options), subscriber }] : []
  })
  return (await Promise.all(listeners)).flat()
}

/** The receiver identifies an inbox by the string after the last slash. */
function withQuery(url: string): string {
  return url.replace(/\/([^/]*)$/, '/events?to=/$1')
}

/** A change, and the event about it that arrived first. */
interface Reported {
  readonly name: string
  readonly occurrence: Occurrence
  readonly delivery: Delivery | undefined
  /** Whether an event must follow; undefined if that is unknown. */
  readonly isExpected: boolean | undefined
}

interface Happened {
  readonly name: string
  readonly occurrence: Occurrence
  /** What was reported before. */
  readonly all: readonly Reported[]
  readonly listeners: readonly Listener[]
}

async function report(context: Context, { name, occurrence, all, listeners }: Happened): Promise<Reported> {
  const isExpected = canHappen(occurrence, all)
  const wanted = isExpected ? listeners.filter((it) => isWanted(context, occurrence, it)) : []
  const found = await Promise.all(
    wanted.map(({ subscriber }) => delivered(context, subscriber.inbox, occurrence)),
  )
  const arrived = found.flat()
  const names = Object.values(occurrence.events)
  const delivery = arrived.find((it) => names.includes(String(eventName(it)))) ?? arrived[0]
  await occurrence.again?.()
  return { name, occurrence, delivery, isExpected }
}

/** Whether the record that a change depends on has reached its state, according to its own event. */
function canHappen({ only }: Occurrence, all: readonly Reported[]): boolean | undefined {
  const other = all.find(({ occurrence }) => occurrence.id === only?.of)
  if (!only || !other) return true
  const name = other.delivery && eventName(other.delivery)
  const { events } = other.occurrence
  return Object.values(events).includes(String(name)) ? name === events[only.state] : undefined
}

function isWanted({ behaviour }: Context, { events }: Occurrence, { type, isOwner }: Listener): boolean {
  return isOwner && Object.values(events).some((it) => behaviour.events?.[it]?.subscribers.includes(type))
}

/** How many events about a change a listener received: one where it wants them, and none where it does not. */
function expectReceipt(context: Context, declared: Declared, it: Reported, listener: Listener): void {
  const { name, occurrence, delivery, isExpected } = it
  const { words, isOwner, subscriber } = listener
  const ids = new Set(about(subscriber.inbox, occurrence).map(deliveryId))
  const wanted = isExpected && isWanted(context, occurrence, listener) ? 1 : 0
  // If no webhook received the event, the other webhooks are inconclusive.
  const isKnown = isExpected !== undefined && (wanted === 1 || !isExpected || delivery)
  const isLate = ids.size < wanted && isBehind(subscriber.inbox, timeOf(it))
  if (!isKnown || isLate) {
    context.inconclusive(isLate ? LATE : undefined)
    return
  }
  const expected = wanted ? `expected one, ${Object.values(occurrence.events).join(' or ')}` : 'expected none'
  const message = `A webhook ${words} received ${ids.size} events after ${name}; ${expected}.`
  const [event] = Object.values(occurrence.events).map((it) => context.behaviour.events?.[it])
  const { type } = declared.deliveries.subscription
  // If another webhook received the event, the rule about owners or types is broken.
  const source: Source | undefined = !isOwner
    ? declared.resource.ownership
    : isEventMissing(it, wanted)
      ? event
      : type
  context.expect(occurrence.exchange, ids.size === wanted ? undefined : message, {
    ...placeIn(context, declared),
    ...citing(ids.size > 1 && wanted ? event : source),
    about: `${name} ${Object.values(occurrence.events)[0]} ${words}`,
  })
}

/** The time of an event: as another webhook received it, or that of the request. */
function timeOf({ delivery, occurrence }: Reported): number {
  return (delivery && eventTime(delivery)) ?? occurrence.exchange.at ?? 0
}

/** Whether an inbox still receives deliveries, but no event that is clearly newer. A busy service delivers in turn. */
function isBehind(inbox: Inbox, time: number): boolean {
  const isNewer = (it: Delivery) => (eventTime(it) ?? 0) - time > inbox.timeoutMs / 2
  return !isQuiet(inbox) && !inbox.deliveries.some(isNewer)
}

function isEventMissing({ delivery, isExpected }: Reported, wanted: number): boolean {
  return !isExpected || (wanted === 1 && !delivery)
}

/** Receivers ignore an event with a known id. */
function expectOwnIds(context: Context, declared: Declared, all: readonly Reported[]): void {
  const known = new Map<string, string>()
  for (const { occurrence, delivery } of all) {
    const id = delivery && deliveryId(delivery)
    if (id === undefined) continue
    const other = known.get(id) ?? occurrence.id
    known.set(id, other)
    const message = `Two events have the webhook-id ${id}; expected an id for each event.`
    context.expect(occurrence.exchange, other === occurrence.id ? undefined : message, {
      ...placeIn(context, declared),
      ...citing(declared.deliveries.signature),
      about: 'own id',
    })
  }
}

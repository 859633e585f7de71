import type { Context } from '../../engine/context.ts'
import { eventually } from '../../engine/eventually.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Identity } from '../../model/exchange.ts'
import type { Delivery, DeliveryResponse, Inbox, RespondToDelivery } from '../../transport/receiver.ts'
import { citing, type Source } from '../common/declared-sources.ts'
import { durationSeconds } from '../common/duration.ts'
import { actOn } from '../common/record-requests.ts'
import { causeOne, type Occurrence } from './causes.ts'
import {
  ABOUT_DELIVERIES,
  about,
  attemptedAt,
  type Declared,
  declaredDeliveries,
  delivered,
  deliveryId,
  isQuiet,
  isSignedBy,
  LATE,
  laterAttempts,
  placeIn,
  type Subscriber,
  subscribe,
} from './subscribers.ts'

/** Milliseconds that a slow receiver takes: less than any timeout of a service. */
const SLOW = 800
/** Milliseconds after the declared time of the second attempt: how late it may be, and when none may follow. */
const OVERDUE = 7_000
const SPARE = 400
/** The wait for a new event, in usual waits. On most machines it arrives at once. */
const NEW_EVENT_WAITS = 3
/** Milliseconds that a run waits for a second attempt at most. */
const MOST = 60_000

/** The response to the first attempt, and what must follow. */
interface Row {
  readonly words: string
  readonly response: DeliveryResponse
  readonly expected: 'retry' | 'no retry' | 'no retry after deletion'
}

function rowsOf(elsewhere: string): readonly Row[] {
  return [
    ...[200, 202, 204].map((response): Row => ({ words: String(response), response, expected: 'no retry' })),
    { words: 'a late 204', response: { status: 204, afterMs: SLOW }, expected: 'no retry' },
    // Not 410: Standard Webhooks lets the sender disable the endpoint then.
    ...[500, 503, 429, 404].map(
      (response): Row => ({ words: String(response), response, expected: 'retry' }),
    ),
    { words: 'a redirect', response: { status: 302, location: elsewhere }, expected: 'retry' },
    { words: 'a connection that breaks', response: 'broken off', expected: 'retry' },
    { words: '500, then a deletion', response: 500, expected: 'no retry after deletion' },
  ]
}

export const deliveriesRetried: Rule = {
  id: 'deliveries-retried',
  phase: 'deliveries',
  ...ABOUT_DELIVERIES,
  waits: 'later',
  title:
    'A delivery is retried until it gets a 2xx, with the same id and body, and a new timestamp and signature.',
  advice: 'Retry on every other status by a schedule, and not at all for a webhook that was deleted.',
  run: async (context) => {
    const declared = declaredDeliveries(context)
    const [wait = 'P1D'] = declared?.deliveries.waits ?? []
    const waitMs = durationSeconds(wait) * 1000
    if (!declared || !context.receiver) return
    if (waitMs > MOST)
      return context.inconclusive(`the second attempt comes after ${wait}, later than a run waits`)
    const elsewhere = context.receiver.open()
    const identity = listenerIn(context)
    // Its id is unknown until the event is caused: until then, every delivery counts.
    const record: { id?: string } = {}
    const cases = await Promise.all(
      rowsOf(elsewhere.url).map(async (row) => {
        const respond = responderFor(record, row)
        return { row, subscriber: await subscribe(context, declared, { identity, respond }) }
      }),
    )
    const occurrence = await causeOne(context, identity)
    if (!occurrence) return context.inconclusive('no event could be caused')
    record.id = occurrence.id
    const inboxes = cases.flatMap(({ subscriber }) => subscriber?.inbox ?? [])
    const all = { declared, occurrence, waitMs, identity, elsewhere, inboxes }
    await Promise.all(cases.map(({ row, subscriber }) => tryRow(context, { ...all, row, subscriber })))
  },
}

/** The other partner of a sandbox causes no other events, which would delay deliveries. */
function listenerIn({ target, identities }: Context): Identity {
  return target === 'sandbox' && identities.has('other') ? 'other' : 'partner'
}

/** Gives the response of a row to first attempts for the expected record, and 204 to all other deliveries. */
function responderFor(record: { readonly id?: string }, { response, expected }: Row): RespondToDelivery {
  const firsts = new Map<string | undefined, Delivery>()
  return (delivery) => {
    if (record.id !== undefined && !delivery.text.includes(record.id)) return 204
    const first = firsts.get(deliveryId(delivery)) ?? delivery
    firsts.set(deliveryId(delivery), first)
    return expected === 'retry' && laterAttempts([first, delivery]).length > 0 ? 204 : response
  }
}

interface Case {
  readonly declared: Declared
  readonly row: Row
  readonly subscriber: Subscriber | undefined
  readonly occurrence: Occurrence
  readonly identity: Identity
  /** Milliseconds until the second attempt. */
  readonly waitMs: number
  /** Where the redirect leads. */
  readonly elsewhere: Inbox
  /** The inboxes of all rows. */
  readonly inboxes: readonly Inbox[]
}

async function tryRow(context: Context, it: Case): Promise<void> {
  const { row, subscriber, occurrence, declared, identity, waitMs } = it
  const [first] = subscriber ? await delivered(context, subscriber.inbox, occurrence) : []
  if (!subscriber || !first) return context.inconclusive('no delivery arrived')
  const { inbox } = subscriber
  if (row.expected === 'retry') return expectSecond(context, it, { subscriber, first })
  if (row.expected === 'no retry after deletion') {
    const { delete: remove } = declared.resource.operations
    if (!(await actOn(context, subscriber.created, remove, { identity }))) return context.inconclusive()
    // The second attempt may have been on its way.
    if (performance.now() - first.at > waitMs - SPARE) return context.inconclusive(LATE)
  }
  await context.pause(waitMs + SLOW + SPARE)
  const { length } = laterAttempts(about(inbox, occurrence))
  const message =
    length > 0 && `A delivery was attempted again after ${row.words}; expected no further attempt.`
  const { fact } =
    declared.resource.states?.[declared.deliveries.subscription.receives.state]?.on?.delete ?? {}
  const source = row.expected === 'no retry' ? undefined : fact ? { fact } : undefined
  expectOf(context, it, row.words, message, source)
}

interface First {
  readonly subscriber: Subscriber
  readonly first: Delivery
}

async function expectSecond(context: Context, it: Case, { subscriber, first }: First): Promise<void> {
  const { words } = it.row
  const second = await secondAttempt(context, subscriber.inbox, it)
  if (second === 'late') return context.inconclusive(LATE)
  const isFollowed = about(it.elsewhere, it.occurrence).length > 0
  expectOf(
    context,
    it,
    'redirect',
    isFollowed && 'A delivery went to the location of a redirect; expected the same URL again.',
  )
  expectOf(
    context,
    it,
    words,
    !second && `A delivery was not attempted again after ${words}; expected a second attempt.`,
  )
  if (!second) return
  const isSame = deliveryId(first) === deliveryId(second) && first.text === second.text
  expectOf(
    context,
    it,
    'same',
    !isSame && 'The second attempt has another id or body than the first; expected the same.',
  )
  // Another signature scheme cannot be verified.
  if (!(await isSignedBy(first, subscriber.secret)))
    return context.inconclusive('the first attempt does not verify')
  const isSigned = attemptedAt(second) > attemptedAt(first) && (await isSignedBy(second, subscriber.secret))
  const message = 'The second attempt has the time or the signature of the first; expected those of its own.'
  expectOf(context, it, 'signed anew', !isSigned && message, it.declared.deliveries.signature)
}

/** `late` if it is missing, and an event of now does not arrive either: the service or this machine is busy. */
async function secondAttempt(
  context: Context,
  inbox: Inbox,
  it: Case,
): Promise<Delivery | undefined | 'late'> {
  const { identity, inboxes, occurrence } = it
  const look = () => laterAttempts(about(inbox, occurrence))[0]
  const inTime = await eventually(context, look, Boolean, it.waitMs + OVERDUE + inbox.timeoutMs)
  const event = inTime ? undefined : await causeOne(context, identity)
  if (!event) return inTime ?? 'late'
  const isDecided = () => look() !== undefined || about(inbox, event).length > 0
  if (await eventually(context, isDecided, Boolean, inbox.timeoutMs * NEW_EVENT_WAITS)) return look()
  // The service may have given up on this webhook.
  return isQuiet(inbox) && inboxes.some((other) => about(other, event).length > 0) ? undefined : 'late'
}

function expectOf(
  context: Context,
  { declared, occurrence }: Pick<Case, 'declared' | 'occurrence'>,
  words: string,
  message: string | false,
  source?: Source,
): void {
  context.expect(occurrence.exchange, message || undefined, {
    ...placeIn(context, declared),
    ...citing(source, declared.deliveries),
    about: words,
  })
}

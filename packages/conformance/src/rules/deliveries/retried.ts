import type { Context } from '../../engine/context.ts'
import { eventually } from '../../engine/eventually.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Identity } from '../../model/exchange.ts'
import type { Delivery, DeliveryResponse, Inbox, RespondToDelivery } from '../../transport/receiver.ts'
import { actOn } from '../declared-resources.ts'
import { durationSeconds } from '../duration.ts'
import { citing, type Source } from '../sources.ts'
import { causeOne, type Occurrence } from './causes.ts'
import {
  about,
  attemptedAt,
  type Declared,
  declaredDeliveries,
  delivered,
  deliveryId,
  deliveryQuestions,
  isSignedBy,
  laterAttempts,
  placeIn,
  type Subscriber,
  subscribe,
  subscriptionOperations,
} from './subscribers.ts'

/** Milliseconds that a slow receiver takes, far fewer than a service waits. */
const SLOW = 800
/** Milliseconds that a second attempt may be later than declared where it must come, and where it must not. */
const LATE = 7_000
const SPARE = 400
/** Milliseconds that a run waits for a second attempt at most. */
const MOST = 60_000

/** How the first attempt is answered, and what follows. */
interface Row {
  readonly words: string
  readonly answer: DeliveryResponse
  readonly expected: 'again' | 'nothing' | 'nothing once deleted'
}

function rowsOf(elsewhere: string): readonly Row[] {
  return [
    ...[200, 202, 204].map((answer): Row => ({ words: String(answer), answer, expected: 'nothing' })),
    { words: 'a late 204', answer: { status: 204, afterMs: SLOW }, expected: 'nothing' },
    // Standard Webhooks leaves it to the sender what 410 ends.
    ...[500, 503, 429, 404].map((answer): Row => ({ words: String(answer), answer, expected: 'again' })),
    { words: 'a redirect', answer: { status: 302, location: elsewhere }, expected: 'again' },
    { words: 'a connection that breaks', answer: 'broken off', expected: 'again' },
    { words: '500, then a deletion', answer: 500, expected: 'nothing once deleted' },
  ]
}

export const deliveriesRetried: Rule = {
  id: 'deliveries-retried',
  phase: 'deliveries',
  cites: 'contract',
  needs: subscriptionOperations,
  questions: deliveryQuestions,
  stateful: true,
  waits: 'later',
  title:
    'A delivery is attempted until it gets a 2xx, each time with the same id and body, signed anew; then no more.',
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
    const meant: { id?: string } = {}
    const cases = await Promise.all(
      rowsOf(elsewhere.url).map(async (row) => {
        const answer = answering(meant, row)
        return { row, subscriber: await subscribe(context, declared, { identity, answer }) }
      }),
    )
    const occurrence = await causeOne(context, identity)
    if (!occurrence) return context.inconclusive('no event could be caused')
    meant.id = occurrence.id
    const all = { declared, occurrence, waitMs, identity, elsewhere }
    await Promise.all(cases.map(({ row, subscriber }) => tryRow(context, { ...all, row, subscriber })))
  },
}

/** The other partner of a sandbox does nothing besides, so that nothing else keeps its receivers busy. */
function listenerIn({ target, identities }: Context): Identity {
  return target === 'sandbox' && identities.has('other') ? 'other' : 'partner'
}

/** Answers the first attempts at what is meant, and any other delivery with 204; until that is known, all are meant. */
function answering(meant: { readonly id?: string }, { answer, expected }: Row): RespondToDelivery {
  const firsts = new Map<string | undefined, Delivery>()
  return (delivery) => {
    if (meant.id !== undefined && !delivery.text.includes(meant.id)) return 204
    const first = firsts.get(deliveryId(delivery)) ?? delivery
    firsts.set(deliveryId(delivery), first)
    return expected === 'again' && laterAttempts([first, delivery]).length > 0 ? 204 : answer
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
}

async function tryRow(context: Context, it: Case): Promise<void> {
  const { row, subscriber, occurrence, declared, identity, waitMs } = it
  const [first] = subscriber ? await delivered(context, subscriber.inbox, occurrence) : []
  if (!subscriber || !first) return context.inconclusive('no delivery arrived')
  const { inbox } = subscriber
  if (row.expected === 'again') return expectSecond(context, it, { subscriber, first })
  if (row.expected === 'nothing once deleted') {
    const { delete: remove } = declared.resource.operations
    if (!(await actOn(context, subscriber.created, remove, { identity }))) return context.inconclusive()
  }
  await context.pause(waitMs + SLOW + SPARE)
  const { length } = laterAttempts(about(inbox, occurrence))
  const message =
    length > 0 && `A delivery was attempted again after ${row.words}; expected no further attempt.`
  const { fact } =
    declared.resource.states?.[declared.deliveries.subscription.receives.state]?.on?.delete ?? {}
  const source = row.expected === 'nothing' ? undefined : fact ? { fact } : undefined
  expectOf(context, it, row.words, message, source)
}

interface First {
  readonly subscriber: Subscriber
  readonly first: Delivery
}

async function expectSecond(context: Context, it: Case, { subscriber, first }: First): Promise<void> {
  const { words } = it.row
  const [second] = await secondAttempt(context, subscriber.inbox, it)
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
  // With another scheme nothing says how an attempt is signed.
  if (!(await isSignedBy(first, subscriber.secret)))
    return context.inconclusive('the first attempt does not verify')
  const isSigned = attemptedAt(second) > attemptedAt(first) && (await isSignedBy(second, subscriber.secret))
  const message = 'The second attempt has the time or the signature of the first; expected those of its own.'
  expectOf(context, it, 'signed anew', !isSigned && message, it.declared.deliveries.signature)
}

function secondAttempt(
  context: Context,
  inbox: Inbox,
  { occurrence, waitMs }: Case,
): Promise<readonly Delivery[]> {
  return eventually(
    context,
    () => laterAttempts(about(inbox, occurrence)),
    ({ length }) => length > 0,
    waitMs + LATE + inbox.timeoutMs,
  )
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

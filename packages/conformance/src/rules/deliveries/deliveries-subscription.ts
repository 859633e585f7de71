import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { Inbox } from '../../transport/receiver.ts'
import { citing, type Source } from '../common/declared-sources.ts'
import { actOn } from '../common/record-requests.ts'
import { causeOne, type Occurrence } from './causes.ts'
import {
  ABOUT_DELIVERIES,
  about,
  type Declared,
  declaredDeliveries,
  delivered,
  isSignedBy,
  placeIn,
  QUIET_MS,
  type Subscriber,
  subscribe,
  update,
} from './subscribers.ts'

/** Share of the wait for a delivery, since another webhook has received the event already. */
const HALF = 0.5

/** A change of a subscription, and whether it receives events afterwards. */
interface Row {
  readonly words: string
  /** The last operation, to which findings belong. */
  readonly action: string
  readonly source: Source | undefined
  readonly receives: boolean
  /** Whether the service took the change, and where deliveries go then. */
  readonly change: (subscriber: Subscriber) => Promise<boolean>
  readonly to?: Inbox | undefined
}

export const deliveriesSubscription: Rule = {
  id: 'deliveries-subscription',
  phase: 'deliveries',
  ...ABOUT_DELIVERIES,
  impact: 'high',
  title: 'Deliveries depend on the current URL, type and status of a webhook, and end with its deletion.',
  advice: 'Read the webhook when an event is delivered. Change its secret by a rotation only.',
  run: async (context) => {
    const declared = declaredDeliveries(context)
    const kept = declared && (await subscribe(context, declared))
    // The first event shows which types of webhooks receive it.
    const probe = kept && (await causeOne(context))
    const [first] = probe ? await delivered(context, kept.inbox, probe) : []
    if (!declared || !kept || !probe || !first) return context.inconclusive('no delivery arrived')
    const isKnown = await isSignedBy(first, kept.secret)
    const rows = await Promise.all(
      rowsOf(context, declared, probe).map((row) => changed(context, declared, row)),
    )
    const occurrence = await causeOne(context)
    const isSent = occurrence && (await delivered(context, kept.inbox, occurrence)).length > 0
    if (!occurrence || !isSent) return context.inconclusive('no delivery arrived')
    // Another kind of event may have other subscribers.
    if (!isDeepStrictEqual(occurrence.events, probe.events))
      return context.inconclusive('other events occurred')
    await context.pause(QUIET_MS)
    for (const { row, subscriber } of rows)
      if (subscriber) await judge(context, { declared, row, subscriber, occurrence, isKnown })
      else context.inconclusive(`a webhook could not be ${row.words}`)
  },
}

function rowsOf(context: Context, declared: Declared, { events }: Occurrence): Row[] {
  const { resource, types, deliveries } = declared
  const { type, receives } = deliveries.subscription
  const wanting = Object.values(events).flatMap((it) => context.behaviour.events?.[it]?.subscribers ?? [])
  const [, narrow = types[0]] = [...new Set(wanting)].toSorted((a, b) => types.indexOf(a) - types.indexOf(b))
  const others = types.filter((it) => !wanting.includes(it))
  const to = context.receiver?.open()
  const states = Object.entries(resource.states ?? {})
  const paused = states
    .filter(([name, { hidden }]) => name !== receives.state && !hidden)
    .map(([name]) => name)
  const deletion = resource.states?.[receives.state]?.on?.delete
  const set = (it: Subscriber, values: Parameters<typeof update>[3]) => update(context, declared, it, values)
  const row = (words: string, receives: boolean, source: Row['source'], change: Row['change']): Row => ({
    words,
    action: 'update',
    source,
    receives,
    change,
  })
  return [
    {
      ...row('moved to another URL', true, type, (it) => set(it, { url: to?.url ?? '', type: narrow ?? '' })),
      to,
    },
    ...others.map((other) => row(`changed to type ${other}`, false, type, (it) => set(it, { type: other }))),
    ...paused.flatMap((state) => [
      row(`set to ${state}`, false, receives, (it) => set(it, { state })),
      row(
        `set to ${state} and back`,
        true,
        receives,
        async (it) => (await set(it, { state })) && set(it, {}),
      ),
    ]),
    {
      ...row('deleted', false, deletion, async ({ created }) => {
        const removed = await actOn(context, created, resource.operations.delete)
        return removed !== undefined && isSuccess(removed)
      }),
      action: 'delete',
    },
  ]
}

/** A new subscription after its change; undefined where the service refused one of the two. */
async function changed(context: Context, declared: Declared, row: Row) {
  const subscriber = await subscribe(context, declared)
  return { row, subscriber: subscriber && (await row.change(subscriber)) ? subscriber : undefined }
}

interface Case {
  readonly declared: Declared
  readonly row: Row
  readonly subscriber: Subscriber
  readonly occurrence: Occurrence
  /** Whether deliveries can be verified: another signature scheme hides which secret was used. */
  readonly isKnown: boolean
}

async function judge(
  context: Context,
  { declared, row, subscriber, occurrence, isKnown }: Case,
): Promise<void> {
  const { words, action, source, receives, to = subscriber.inbox } = row
  const place = { ...placeIn(context, declared, action), ...citing(source, declared.deliveries) }
  const all = receives ? await delivered(context, to, occurrence, HALF) : about(to, occurrence)
  const message = `A webhook that was ${words} received ${all.length} deliveries; expected ${receives ? 'one' : 'none'}.`
  const isRight = all.length > 0 === receives
  context.expect(occurrence.exchange, isRight ? undefined : message, { ...place, about: words })
  if (!receives) return
  const old = to !== subscriber.inbox && about(subscriber.inbox, occurrence).length > 0
  const left = `A webhook that was ${words} received a delivery at its old URL; expected none.`
  context.expect(occurrence.exchange, old ? left : undefined, { ...place, about: `${words}, old URL` })
  const [delivery] = all
  if (!delivery || !isKnown) return context.inconclusive()
  const isSigned = await isSignedBy(delivery, subscriber.secret)
  const changed = `A webhook that was ${words} has another secret; expected the one from its creation.`
  context.expect(occurrence.exchange, isSigned ? undefined : changed, { ...place, about: `${words}, secret` })
}

import type { Context } from '../../../engine/context.ts'
import { eventually } from '../../../engine/eventually.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import type { Exchange } from '../../../model/exchange.ts'
import { isSuccess } from '../../../model/exchange.ts'
import type { Answer, Answering, Delivery, Inbox } from '../../../transport/receiver.ts'
import { PAYING, transfer, transferToKey } from '../payments.ts'
import {
  about,
  answering,
  DELIVERING,
  isSignedBy,
  laterOf,
  place,
  type Registered,
  register,
  waiting,
} from './helpers.ts'

/** The second attempt comes after 5 seconds, by our answer to `delivery`; a busy service may take twice as long, and more. */
const RETRIED = 12_000

export const deliveryRetried: Rule = {
  id: 'delivery-retried',
  phase: 'deliveries',
  cites: { question: 'delivery' },
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  waits: 'later',
  title: 'A delivery that is not answered 2xx is sent again, with the same id and body, signed anew.',
  advice:
    'Try again on every answer but 2xx, by a schedule, with the id of the event and the time of the attempt.',
  run: async (context) => {
    const [identity, meant] = [waiting(context), {} as { id?: unknown }]
    const elsewhere = context.receiver?.open()
    const cases = await Promise.all(
      failuresOf(elsewhere).map(async ({ words, answer }) => {
        return {
          words,
          registered: await register(context, {
            type: 'transfer',
            identity,
            answer: answering(meant, failingFirst(answer)),
          }),
        }
      }),
    )
    const input = await transferToKey(context, identity)
    const paid = input && (await transfer(context, input, identity))
    if (!paid || !isSuccess(paid)) return context.inconclusive()
    meant.id = nodeOf(paid.body).id
    await Promise.all(cases.map(({ words, registered }) => tryFailure(context, { words, registered, paid })))
    const followed = about(elsewhere?.deliveries ?? [], paid).length > 0
    const message = 'Expected a redirect not to be followed, and it was.'
    context.expect(paid, followed ? message : undefined, { ...place(context), about: 'redirect' })
  },
}

/** Answers that are no success. What 410 ends, Standard Webhooks leaves to the sender. */
function failuresOf(elsewhere: Inbox | undefined): { words: string; answer: Answer }[] {
  const statuses = [500, 503, 429, 404].map((answer) => ({ words: String(answer), answer }))
  const redirect = { status: 302, location: elsewhere?.url ?? '/' }
  return [
    ...statuses,
    { words: 'a redirect', answer: redirect },
    { words: 'a connection that breaks', answer: 'broken off' },
  ]
}

/** Fails the first attempt of each event, however often it comes. */
function failingFirst(answer: Answer): Answering {
  const firsts = new Map<string | undefined, Delivery>()
  return (delivery) => {
    const id = delivery.headers['webhook-id']
    const first = firsts.get(id) ?? delivery
    firsts.set(id, first)
    return laterOf([first, delivery]).length > 0 ? 204 : answer
  }
}

interface Case {
  readonly words: string
  readonly registered: Registered | undefined
  readonly paid: Exchange
}

async function tryFailure(context: Context, { words, registered, paid }: Case): Promise<void> {
  const all = registered ? await attempts(context, registered.inbox, paid) : []
  const [[first], [second]] = [all, laterOf(all)]
  if (!first || !registered) return context.inconclusive()
  const where = { ...place(context), about: `retry ${words}` }
  if (!second)
    return void context.expect(paid, `Expected a second attempt after ${words}, and none came.`, where)
  const isSame = first.headers['webhook-id'] === second.headers['webhook-id'] && first.text === second.text
  const message = 'Expected the same id and body at the second attempt, got others.'
  context.expect(paid, isSame ? undefined : message, { ...where, about: 'same' })
  await isSignedAnew(context, paid, { first, second, secret: registered.secret })
}

interface Attempts {
  readonly first: Delivery
  readonly second: Delivery
  readonly secret: string
}

async function isSignedAnew(
  context: Context,
  paid: Exchange,
  { first, second, secret }: Attempts,
): Promise<void> {
  const [before, after] = [first, second].map(({ headers }) => Number(headers['webhook-timestamp']))
  const isNew = before !== undefined && after !== undefined && after > before
  const stale = 'Expected the timestamp of the second attempt, got that of the first.'
  context.expect(paid, isNew ? undefined : stale, { ...place(context), about: 'timestamp' })
  const isSigned = await isSignedBy(second, secret)
  const message = 'Expected a second attempt that verifies, got one that does not.'
  context.expect(paid, isSigned ? undefined : message, { ...place(context), about: 'signature' })
}

function attempts(
  context: Context,
  { deliveries, patienceMs }: Inbox,
  paid: Exchange,
): Promise<readonly Delivery[]> {
  return eventually(
    context,
    () => about(deliveries, paid),
    (all) => laterOf(all).length > 0,
    RETRIED + patienceMs,
  )
}

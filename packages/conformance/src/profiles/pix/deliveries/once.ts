import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import type { Exchange } from '../../../model/exchange.ts'
import { isSuccess } from '../../../model/exchange.ts'
import type { Answer } from '../../../transport/receiver.ts'
import { PAYING, transfer, transferToKey } from '../payments.ts'
import {
  about,
  answering,
  DELIVERING,
  delivered,
  idsOf,
  laterOf,
  place,
  type Registered,
  register,
  SECOND_ATTEMPT,
  waiting,
} from './helpers.ts'

/** Milliseconds that a receiver may well take: far fewer than the 15 seconds of our answer. */
const SLOW = 800

/** Answers that are a success, at once or not. */
const TAKEN: readonly { words: string; answer: Answer }[] = [
  { words: '200', answer: 200 },
  { words: '202', answer: 202 },
  { words: '204', answer: 204 },
  { words: '204 after a while', answer: { status: 204, afterMs: SLOW } },
]

/** More than one is allowed, by at-least-once; each of them then has the same id. */
export const deliveryOnce: Rule = {
  id: 'delivery-once',
  phase: 'deliveries',
  cites: { question: 'delivery' },
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  waits: 'later',
  title: 'A delivery that was taken, by any 2xx, soon or late, is not sent again.',
  advice: 'Wait for the answer for 15 seconds, and take note of it.',
  run: async (context) => {
    const [identity, meant] = [waiting(context), {} as { id?: unknown }]
    const cases = await Promise.all(
      TAKEN.map(async ({ words, answer }) => ({
        words,
        registered: await register(context, {
          type: 'transfer',
          identity,
          answer: answering(meant, () => answer),
        }),
      })),
    )
    const input = await transferToKey(context, identity)
    const paid = input && (await transfer(context, input, identity))
    if (!paid || !isSuccess(paid)) return context.inconclusive()
    meant.id = nodeOf(paid.body).id
    await Promise.all(cases.map(({ words, registered }) => isTakenOnce(context, { words, registered, paid })))
  },
}

interface Case {
  readonly words: string
  readonly registered: Registered | undefined
  readonly paid: Exchange
}

async function isTakenOnce(context: Context, { words, registered, paid }: Case): Promise<void> {
  const came = registered && (await delivered(context, registered.inbox, paid))
  if (!registered || !came || came.length === 0) return context.inconclusive()
  await context.pause(SECOND_ATTEMPT + SLOW)
  const all = about(registered.inbox.deliveries, paid)
  const again = laterOf(all)
  const message = `Expected no second attempt where the first is answered ${words}, got ${again.length}.`
  context.expect(paid, again.length > 0 ? message : undefined, { ...place(context), about: words })
  const { length } = idsOf(all)
  const apart = `Expected one id for what happened once, got ${length}.`
  context.expect(paid, length > 1 ? apart : undefined, { ...place(context), about: `${words} id` })
}

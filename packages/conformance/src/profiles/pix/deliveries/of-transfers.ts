import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { isSuccess } from '../../../model/exchange.ts'
import { jsonIn } from '../../../model/http.ts'
import type { Delivery } from '../../../transport/receiver.ts'
import { PAYING, transfer, transferToKey, type Way, waysToPay } from '../payments.ts'
import { about, DELIVERING, delivered, idsOf, place, type Registered, register, SILENCE } from './helpers.ts'

/** Milliseconds that the settlement may take, before its event. */
const SETTLED = 4_000

export const deliveryOfTransfers: Rule = {
  id: 'delivery-of-transfers',
  phase: 'deliveries',
  cites: { question: 'event-kinds' },
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  impact: 'high',
  title:
    'A transfer that ends is told, once, with the record as it is then: by key or by code, of a customer too.',
  advice: 'Write the event in the transaction that settles or rejects the transfer.',
  run: async (context) => {
    const ways: Told[] = [...waysToPay(context)]
    if (context.identities.has('customer'))
      ways.push({
        words: 'key of a customer',
        identity: 'customer',
        made: () => transferToKey(context, 'customer'),
      })
    const registered = await register(context, { type: 'transfer' })
    if (!registered) return context.inconclusive()
    await context.each(ways, (way) => tryWay(context, registered, way))
  },
}

/** A way to pay, which a customer goes too. */
interface Told extends Omit<Way, 'words'> {
  readonly words: Way['words'] | 'key of a customer'
}

/** What a customer pays is told to the partner who acts for it. */
async function tryWay(
  context: Context,
  { inbox }: Registered,
  { words, identity, made }: Told,
): Promise<void> {
  const input = await made()
  const paid = input && (await transfer(context, input, identity))
  if (!paid || !isSuccess(paid)) return context.inconclusive()
  const where = { ...place(context), operation: 'createTransfer', about: words }
  const [delivery] = await delivered(context, inbox, paid, SETTLED + inbox.patienceMs)
  if (!delivery)
    return void context.expect(
      paid,
      `Expected a delivery when the transfer by ${words} ended, and none came.`,
      where,
    )
  context.expect(paid, departure(delivery), where)
  await context.pause(SILENCE)
  const { length } = idsOf(about(inbox.deliveries, paid))
  const message = `Expected one event when the transfer by ${words} ended, got ${length}.`
  context.expect(paid, length > 1 ? message : undefined, { ...where, about: `${words} once` })
}

/** The event is named after the state of the record that it shows. */
function departure({ text }: Delivery): string | undefined {
  const { type, data } = nodeOf(jsonIn(text))
  const { status } = nodeOf(data)
  const isRight = type === `transfer.${status}`
  return isRight ? undefined : `Expected the event of a transfer that is ${status}, got ${type}.`
}

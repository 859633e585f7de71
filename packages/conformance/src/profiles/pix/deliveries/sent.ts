import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import type { Exchange } from '../../../model/exchange.ts'
import { jsonIn } from '../../../model/http.ts'
import type { Delivery, Inbox } from '../../../transport/receiver.ts'
import { cause, DELIVERING, delivered, place, register } from './helpers.ts'

export const deliverySent: Rule = {
  id: 'delivery-sent',
  phase: 'deliveries',
  cites: { question: 'event-kinds' },
  needs: DELIVERING,
  stateful: true,
  title: 'Each webhook receives the event of what was done, at all of its URL, under the name of that event.',
  advice: 'Write the delivery in the transaction that the event is about, and send it soon after.',
  run: async (context) => {
    const [first, second] = [await register(context), await register(context, { at: withQuery })]
    const cancelled = first && second && (await cause(context))
    if (!first || !second || !cancelled) return context.inconclusive()
    await Promise.all([first, second].map(({ inbox }) => isReported(context, inbox, cancelled)))
  },
}

/** A query is a part of a URL as its path is; the receiver knows the inbox by what is behind the last slash. */
function withQuery(url: string): string {
  return url.replace(/\/([^/]*)$/, '/pix?to=/$1')
}

async function isReported(context: Context, inbox: Inbox, cancelled: Exchange): Promise<void> {
  const [delivery] = await delivered(context, inbox, cancelled)
  const message = 'Expected a delivery after the cancellation of a charge, and none came.'
  context.expect(cancelled, delivery ? undefined : message, place(context))
  const type = delivery && nameIn(delivery)
  const isNamed = type === undefined || type === CANCELLED
  context.expect(cancelled, isNamed ? undefined : `Expected ${CANCELLED}, got ${type}.`, {
    ...place(context),
    about: 'type',
  })
}

const CANCELLED = 'qrcode.cancelled'

/** The name of an event; undefined of what is none, which another rule judges. */
function nameIn({ text }: Delivery): string | undefined {
  const { type } = nodeOf(jsonIn(text))
  return typeof type === 'string' ? type : undefined
}

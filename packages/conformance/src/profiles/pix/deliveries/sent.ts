import type { Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { type Exchange, jsonIn } from '../../../transport/exchange.ts'
import type { Delivery, Inbox } from '../../../transport/receiver.ts'
import { cause, DELIVERING, delivered, place, register } from './helpers.ts'

export const deliverySent: Law = {
  id: 'delivery-sent',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: DELIVERING,
  stateful: true,
  title: 'Each webhook receives the event of what was done, at all of its URL, under the name of that event.',
  advice: 'Write the delivery in the transaction that the event is about, and send it soon after.',
  run: async (scene) => {
    const [first, second] = [await register(scene), await register(scene, { at: withQuery })]
    const cancelled = first && second && (await cause(scene))
    if (!first || !second || !cancelled) return scene.masked()
    await Promise.all([first, second].map(({ inbox }) => isTold(scene, inbox, cancelled)))
  },
}

/** A query is a part of a URL as its path is; the receiver knows the inbox by what is behind the last slash. */
function withQuery(url: string): string {
  return url.replace(/\/([^/]*)$/, '/pix?to=/$1')
}

async function isTold(scene: Scene, inbox: Inbox, cancelled: Exchange): Promise<void> {
  const [delivery] = await delivered(scene, inbox, cancelled)
  const message = 'Expected a delivery after the cancellation of a charge, and none came.'
  scene.expect(cancelled, delivery ? undefined : message, place(scene))
  const type = delivery && nameIn(delivery)
  const isNamed = type === undefined || type === CANCELLED
  scene.expect(cancelled, isNamed ? undefined : `Expected ${CANCELLED}, got ${type}.`, {
    ...place(scene),
    about: 'type',
  })
}

const CANCELLED = 'qrcode.cancelled'

/** The name of an event; undefined of what is none, which another law judges. */
function nameIn({ text }: Delivery): string | undefined {
  const { type } = nodeOf(jsonIn(text))
  return typeof type === 'string' ? type : undefined
}

import type { Law } from '../law.ts'
import { about, DELIVERING, idsOf, oneDelivery, place, SILENCE } from '../run/deliveries.ts'

/** More than one is allowed, by at-least-once; each of them then has the same id. */
export const deliveryOnce: Law = {
  id: 'delivery-once',
  phase: 'deliveries',
  question: 'delivery',
  needs: DELIVERING,
  stateful: true,
  title: 'A delivery that was taken is not sent again; where it is, it has the same id.',
  advice: 'Take note of the answer, and keep the id over all attempts.',
  run: async (scene) => {
    const it = await oneDelivery(scene)
    if (!it?.delivery) return scene.masked()
    await new Promise((resolve) => setTimeout(resolve, SILENCE))
    const ids = idsOf(about(it.registered.inbox.deliveries, it.cancelled))
    const message = `Expected one id for what happened once, got ${ids.length}.`
    scene.expect(it.cancelled, ids.length > 1 ? message : undefined, place(scene))
  },
}

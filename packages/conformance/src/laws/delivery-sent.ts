import type { Law } from '../law.ts'
import { DELIVERING, oneDelivery, place } from '../run/deliveries.ts'

export const deliverySent: Law = {
  id: 'delivery-sent',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: DELIVERING,
  stateful: true,
  title: 'A webhook receives the event of what was done.',
  advice: 'Write the delivery in the transaction that the event is about, and send it soon after.',
  run: async (scene) => {
    const it = await oneDelivery(scene)
    if (!it) return scene.masked()
    scene.expect(
      it.cancelled,
      it.delivery ? undefined : 'Expected a delivery after the cancellation of a charge, and none came.',
      place(scene),
    )
  },
}

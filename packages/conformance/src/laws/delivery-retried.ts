import type { Law } from '../law.ts'
import { cause, DELIVERING, delivered, place, register } from '../run/deliveries.ts'
import type { Delivery } from '../run/receiver.ts'

/** The second attempt comes after 5 seconds, by our answer to `delivery`; a little more is allowed. */
const PATIENCE = 9_000

export const deliveryRetried: Law = {
  id: 'delivery-retried',
  phase: 'deliveries',
  question: 'delivery',
  needs: DELIVERING,
  stateful: true,
  title: 'A delivery that is answered 500 is sent again, with the same id and the same body.',
  advice: 'Try again on every answer but 2xx, by a schedule, with the id of the event.',
  run: async (scene) => {
    // Other laws cause events at the same time: the first attempt of each fails.
    const seen = new Set<string | undefined>()
    const answer = ({ headers }: Delivery) => {
      const isSecond = seen.has(headers['webhook-id'])
      seen.add(headers['webhook-id'])
      return isSecond ? 204 : 500
    }
    const registered = await register(scene, { answer })
    const cancelled = registered && (await cause(scene))
    if (!registered || !cancelled) return scene.masked()
    const [first, second] = await delivered(registered.inbox, cancelled, 2, PATIENCE)
    if (!first) return scene.masked()
    if (!second)
      return void scene.expect(cancelled, 'Expected a second attempt after 500, and none came.', {
        ...place(scene),
        about: 'retry',
      })
    const isSame = first.headers['webhook-id'] === second.headers['webhook-id'] && first.text === second.text
    scene.expect(
      cancelled,
      isSame ? undefined : 'Expected the same id and body at the second attempt, got others.',
      { ...place(scene), about: 'same' },
    )
  },
}

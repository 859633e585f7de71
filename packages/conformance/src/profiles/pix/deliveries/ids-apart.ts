import type { Law } from '../../../engine/rule.ts'
import { cause, DELIVERING, delivered, place, register } from './helpers.ts'

export const deliveryIdsApart: Law = {
  id: 'delivery-ids-apart',
  phase: 'deliveries',
  question: 'signature',
  needs: DELIVERING,
  stateful: true,
  atStake: true,
  title: 'Each event has a webhook-id of its own.',
  advice: 'Give each event an id when it is written: by the id, receivers drop what they have seen.',
  run: async (scene) => {
    const registered = await register(scene)
    const [first, second] = [registered && (await cause(scene)), registered && (await cause(scene))]
    if (!registered || !first || !second) return scene.masked()
    const [[one], [other]] = [
      await delivered(scene, registered.inbox, first),
      await delivered(scene, registered.inbox, second),
    ]
    if (!one || !other) return scene.masked()
    const isSame = one.headers['webhook-id'] === other.headers['webhook-id']
    const message = 'Expected another webhook-id for another event, got the same.'
    scene.expect(second, isSame ? message : undefined, place(scene))
  },
}

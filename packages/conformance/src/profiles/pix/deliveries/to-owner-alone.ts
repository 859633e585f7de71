import type { Law } from '../../../engine/rule.ts'
import { about, cause, DELIVERING, delivered, place, register, SILENCE } from './helpers.ts'

export const deliveryToOwnerAlone: Law = {
  id: 'delivery-to-owner-alone',
  phase: 'deliveries',
  identity: 'other',
  needs: DELIVERING,
  stateful: true,
  atStake: true,
  title: "A webhook receives nothing of what another partner's records go through.",
  advice: 'Look for the webhooks of the partner whose record it is.',
  run: async (scene) => {
    const [own, foreign] = await Promise.all([register(scene), register(scene, { who: 'other' })])
    const cancelled = own && foreign && (await cause(scene))
    // The partner's own one tells that there was something to be delivered.
    if (!own || !foreign || !cancelled || (await delivered(scene, own.inbox, cancelled)).length === 0)
      return scene.masked()
    await scene.pause(SILENCE)
    const came = about(foreign.inbox.deliveries, cancelled).length > 0
    const message = "Expected nothing for another partner's webhook, got a delivery."
    scene.expect(cancelled, came ? message : undefined, place(scene))
  },
}

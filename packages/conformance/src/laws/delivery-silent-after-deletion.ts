import type { Law } from '../law.ts'
import { about, cause, DELIVERING, delivered, place, register, SILENCE } from '../run/deliveries.ts'
import { isSuccess } from '../run/scene.ts'

export const deliverySilentAfterDeletion: Law = {
  id: 'delivery-silent-after-deletion',
  phase: 'deliveries',
  needs: [...DELIVERING, 'deleteWebhook'],
  stateful: true,
  atStake: true,
  title: 'A webhook that was deleted receives nothing.',
  advice: 'Drop what was still to be sent, and send nothing more.',
  run: async (scene) => {
    const [gone, kept] = await Promise.all([register(scene), register(scene)])
    const removed =
      gone && (await scene.send(scene.contract.operation('deleteWebhook'), { path: { webhook_id: gone.id } }))
    if (!gone || !kept || !removed || !isSuccess(removed)) return scene.masked()
    const cancelled = await cause(scene)
    // The other one tells that there was something to be delivered.
    if (!cancelled || (await delivered(kept.inbox, cancelled)).length === 0) return scene.masked()
    await new Promise((resolve) => setTimeout(resolve, SILENCE))
    const came = about(gone.inbox.deliveries, cancelled).length
    scene.expect(
      cancelled,
      came ? 'Expected nothing for a webhook that was deleted, got a delivery.' : undefined,
      { ...place(scene), operation: 'deleteWebhook' },
    )
  },
}

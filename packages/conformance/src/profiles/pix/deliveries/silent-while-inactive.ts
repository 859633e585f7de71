import { isSuccess } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import { about, cause, DELIVERING, delivered, place, register, SILENCE } from './helpers.ts'

export const deliverySilentWhileInactive: Law = {
  id: 'delivery-silent-while-inactive',
  phase: 'deliveries',
  question: 'webhook-statuses',
  needs: [...DELIVERING, 'updateWebhook'],
  stateful: true,
  title: 'A webhook that is inactive receives nothing.',
  advice: 'Send to active webhooks alone.',
  run: async (scene) => {
    const [paused, kept] = await Promise.all([register(scene), register(scene)])
    if (!paused || !kept) return scene.masked()
    const body = { status: 'inactive', type: 'all', url: paused.inbox.url }
    const updated = await scene.send(scene.contract.operation('updateWebhook'), {
      path: { webhook_id: paused.id },
      body,
    })
    const cancelled = isSuccess(updated) ? await cause(scene) : undefined
    if (!cancelled || (await delivered(scene, kept.inbox, cancelled)).length === 0) return scene.masked()
    await scene.pause(SILENCE)
    const came = about(paused.inbox.deliveries, cancelled).length
    scene.expect(
      cancelled,
      came ? 'Expected nothing for a webhook that is inactive, got a delivery.' : undefined,
      { ...place(scene), operation: 'updateWebhook' },
    )
  },
}

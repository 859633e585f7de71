import { isSuccess, type Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import type { Exchange } from '../../../transport/exchange.ts'
import {
  about,
  cause,
  DELIVERING,
  delivered,
  place,
  type Registered,
  register,
  SECOND_ATTEMPT,
  SILENCE,
} from './helpers.ts'

/** Milliseconds in which what was sent before the deletion may still arrive. */
const UNDER_WAY = 300

export const deliverySilentAfterDeletion: Law = {
  id: 'delivery-silent-after-deletion',
  phase: 'deliveries',
  needs: [...DELIVERING, 'deleteWebhook'],
  stateful: true,
  atStake: true,
  waits: 'time',
  title: 'A webhook that was deleted receives nothing, not even what was to be sent again.',
  advice: 'Drop what was still to be sent, and send nothing more.',
  run: async (scene) => {
    await Promise.all([tryNew(scene), tryAgain(scene)])
  },
}

/** What happens after the deletion. */
async function tryNew(scene: Scene): Promise<void> {
  const [gone, kept] = await Promise.all([register(scene), register(scene)])
  const removed = gone && (await deleted(scene, gone))
  if (!gone || !kept || !removed) return scene.masked()
  const cancelled = await cause(scene)
  // The other one tells that there was something to be delivered.
  const isTold = cancelled && (await delivered(scene, kept.inbox, cancelled)).length > 0
  await deleted(scene, kept)
  if (!cancelled || !isTold) return scene.masked()
  await scene.pause(SILENCE)
  isSilent(scene, cancelled, about(gone.inbox.deliveries, cancelled).length > 0)
}

/** What was tried before the deletion, and failed. */
async function tryAgain(scene: Scene): Promise<void> {
  const gone = await register(scene, { answer: () => 500 })
  const cancelled = gone && (await cause(scene))
  const [first] = gone && cancelled ? await delivered(scene, gone.inbox, cancelled) : []
  if (!gone || !cancelled || !first || !(await deleted(scene, gone))) return scene.masked()
  await scene.pause(UNDER_WAY)
  const before = about(gone.inbox.deliveries, cancelled).length
  await scene.pause(SECOND_ATTEMPT)
  isSilent(scene, cancelled, about(gone.inbox.deliveries, cancelled).length > before)
}

async function deleted(scene: Scene, { id }: Registered): Promise<boolean> {
  return isSuccess(await scene.send(scene.contract.operation('deleteWebhook'), { path: { webhook_id: id } }))
}

function isSilent(scene: Scene, cancelled: Exchange, isTold: boolean): void {
  const message = 'Expected nothing for a webhook that was deleted, got a delivery.'
  scene.expect(cancelled, isTold ? message : undefined, { ...place(scene), operation: 'deleteWebhook' })
}

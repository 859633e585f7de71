import { isSuccess, type Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import type { Exchange } from '../../../transport/exchange.ts'
import type { Delivery, Inbox } from '../../../transport/receiver.ts'
import { PAYING, transfer, transferToKey } from '../payments.ts'
import {
  about,
  cause,
  DELIVERING,
  delivered,
  isSignedBy,
  place,
  type Registered,
  register,
  SILENCE,
} from './helpers.ts'

export const deliveryFollowsUpdate: Law = {
  id: 'delivery-follows-update',
  phase: 'deliveries',
  question: 'webhook-types',
  needs: [...DELIVERING, 'updateWebhook'],
  stateful: true,
  atStake: true,
  title: 'A webhook that was changed receives what its new type says, at its new URL, by its old secret.',
  advice: 'Read the webhook when an event is delivered, and change no secret but by regenerating it.',
  run: async (scene) => {
    const [changed, kept] = await Promise.all([register(scene), register(scene)])
    const inbox = scene.receiver?.open()
    if (!changed || !kept || !inbox || !(await updated(scene, changed, inbox))) return scene.masked()
    const cancelled = await cause(scene)
    // The other webhook tells that there was something to be delivered.
    if (!cancelled || (await delivered(scene, kept.inbox, cancelled)).length === 0) return scene.masked()
    // By then the event is on its way to both.
    const [delivery] = await delivered(scene, inbox, cancelled, inbox.patienceMs / 2)
    const message = 'Expected a delivery at the URL of the update, and none came.'
    scene.expect(cancelled, delivery ? undefined : message, { ...at(scene), about: 'url' })
    if (delivery) await isSigned(scene, cancelled, { delivery, secret: changed.secret })
    isLeft(scene, changed, cancelled)
    await tryType(scene, { inbox, kept })
  },
}

function at(scene: Scene) {
  return { ...place(scene), operation: 'updateWebhook' }
}

/** To inactive and back, so that what was once inactive is seen to be told again. */
async function updated(scene: Scene, { id }: Registered, { url }: Inbox): Promise<boolean> {
  const view = scene.contract.operation('updateWebhook')
  for (const status of ['inactive', 'active']) {
    const body = { status, type: 'qrcode', url }
    if (!isSuccess(await scene.send(view, { path: { webhook_id: id }, body }))) return false
  }
  return true
}

interface Signed {
  readonly delivery: Delivery
  readonly secret: string
}

async function isSigned(scene: Scene, cancelled: Exchange, { delivery, secret }: Signed): Promise<void> {
  const isGood = await isSignedBy(delivery, secret)
  const message = 'Expected the secret to sign after an update as before, and it does not.'
  scene.expect(cancelled, isGood ? undefined : message, { ...at(scene), about: 'secret' })
}

function isLeft(scene: Scene, { inbox }: Registered, cancelled: Exchange): void {
  const came = about(inbox.deliveries, cancelled).length > 0
  const message = 'Expected nothing at the URL before the update, got a delivery.'
  scene.expect(cancelled, came ? message : undefined, { ...at(scene), about: 'old url' })
}

interface Told {
  readonly inbox: Inbox
  readonly kept: Registered
}

/** What the type of the update leaves out. */
async function tryType(scene: Scene, { inbox, kept }: Told): Promise<void> {
  if (!scene.contract.has(...PAYING) || !scene.may(scene.contract.operation('createTransfer'))) return
  const input = await transferToKey(scene)
  const paid = input && (await transfer(scene, input))
  if (!paid || !isSuccess(paid) || (await delivered(scene, kept.inbox, paid)).length === 0)
    return scene.masked()
  await scene.pause(SILENCE)
  const came = about(inbox.deliveries, paid).length > 0
  const message = 'Expected no event of a transfer once the type is qrcode, got one.'
  scene.expect(paid, came ? message : undefined, { ...at(scene), about: 'type' })
}

import { isSuccess, type Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { type Resource, resourcesOf } from '../../../model/resources.ts'
import { differingMember } from '../../../rules/records/differing-member.ts'
import { doStep } from '../../../rules/records/records.ts'
import { type Exchange, jsonIn } from '../../../transport/exchange.ts'
import { about, DELIVERING, delivered, idsOf, place, type Registered, register, SILENCE } from './helpers.ts'

export const deliveryOfCancellations: Law = {
  id: 'delivery-of-cancellations',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: DELIVERING,
  stateful: true,
  title: 'That a QR code of either kind was cancelled is told once, with the code as it is then.',
  advice:
    'Write the event in the transaction that cancels, and none where there is nothing to cancel any more.',
  run: async (scene) => {
    const resources = resourcesOf(scene.contract).filter(({ create, cancel }) => cancel && scene.may(create))
    const registered = await register(scene, { type: 'qrcode' })
    if (!registered) return scene.masked()
    await scene.each(resources, (resource) => tryKind(scene, registered, resource))
  },
}

async function tryKind(scene: Scene, { inbox }: Registered, { create, cancel }: Resource): Promise<void> {
  const created = await scene.accepted(create.id)
  const cancelled = created && cancel && (await doStep(scene, cancel, created))
  if (!cancel || !cancelled || !isSuccess(cancelled)) return scene.masked()
  const [delivery] = await delivered(scene, inbox, cancelled)
  isTold(scene, cancelled, delivery && nodeOf(jsonIn(delivery.text)))
  // A second cancellation does nothing, so that there is nothing to tell.
  if (!delivery || !isSuccess(await doStep(scene, cancel, created))) return scene.masked()
  await scene.pause(SILENCE)
  const { length } = idsOf(about(inbox.deliveries, cancelled))
  const message = `Expected one event of a code that is cancelled twice, got ${length}.`
  scene.expect(cancelled, length > 1 ? message : undefined, { ...place(scene), about: `${create.id} again` })
}

function isTold(
  scene: Scene,
  cancelled: Exchange,
  event: Readonly<Record<string, unknown>> | undefined,
): void {
  const at = { ...place(scene), about: String(cancelled.view?.id) }
  const none = 'Expected a delivery after the cancellation of a QR code, and none came.'
  const name = event && differingMember(cancelled.body, event.data)
  const message = event ? name && `Expected "${name}" of the code in its event, got another value.` : none
  scene.expect(cancelled, message, at)
}

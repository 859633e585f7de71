import { isSuccess, type Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import { PAYING, transfer, transferToKey } from '../payments.ts'
import { about, cause, DELIVERING, delivered, place, type Registered, register, SILENCE } from './helpers.ts'

export const deliveryTypeFiltered: Law = {
  id: 'delivery-type-filtered',
  phase: 'deliveries',
  question: 'webhook-types',
  needs: DELIVERING,
  stateful: true,
  title: 'A webhook receives the events of its type, and no others.',
  advice: 'Compare the type of the webhook with the first word of the event.',
  run: async (scene) => {
    const [qrcode, transfer] = await Promise.all([
      register(scene, { type: 'qrcode' }),
      register(scene, { type: 'transfer' }),
    ])
    const cancelled = qrcode && transfer && (await cause(scene))
    if (!qrcode || !transfer || !cancelled) return scene.masked()
    const came = await delivered(scene, qrcode.inbox, cancelled)
    scene.expect(
      cancelled,
      came.length
        ? undefined
        : 'Expected the event of a QR code for a webhook of type qrcode, and none came.',
      { ...place(scene), about: 'qrcode' },
    )
    if (came.length === 0) return scene.masked()
    await scene.pause(SILENCE)
    const wrong = about(transfer.inbox.deliveries, cancelled).length
    scene.expect(
      cancelled,
      wrong ? 'Expected no event of a QR code for a webhook of type transfer, got one.' : undefined,
      { ...place(scene), about: 'transfer' },
    )
    await tryTransfer(scene, { qrcode, transfer })
  },
}

interface Both {
  readonly qrcode: Registered
  readonly transfer: Registered
}

/** The other way round, where transfers may be sent. */
async function tryTransfer(scene: Scene, { qrcode, transfer: own }: Both): Promise<void> {
  if (!scene.contract.has(...PAYING) || !scene.may(scene.contract.operation('createTransfer'))) return
  const input = await transferToKey(scene)
  const paid = input && (await transfer(scene, input))
  if (!paid || !isSuccess(paid) || (await delivered(scene, own.inbox, paid)).length === 0)
    return scene.masked()
  await scene.pause(SILENCE)
  const wrong = about(qrcode.inbox.deliveries, paid).length
  const message = 'Expected no event of a transfer for a webhook of type qrcode, got one.'
  scene.expect(paid, wrong ? message : undefined, { ...place(scene), about: 'transfer to qrcode' })
}

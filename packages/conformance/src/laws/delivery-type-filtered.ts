import type { Law } from '../law.ts'
import { about, cause, DELIVERING, delivered, place, register, SILENCE } from '../run/deliveries.ts'

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
    const came = await delivered(qrcode.inbox, cancelled)
    scene.expect(
      cancelled,
      came.length
        ? undefined
        : 'Expected the event of a QR code for a webhook of type qrcode, and none came.',
      { ...place(scene), about: 'qrcode' },
    )
    if (came.length === 0) return scene.masked()
    await new Promise((resolve) => setTimeout(resolve, SILENCE))
    const wrong = about(transfer.inbox.deliveries, cancelled).length
    scene.expect(
      cancelled,
      wrong ? 'Expected no event of a QR code for a webhook of type transfer, got one.' : undefined,
      { ...place(scene), about: 'transfer' },
    )
  },
}

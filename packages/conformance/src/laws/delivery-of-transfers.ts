import type { Law } from '../law.ts'
import { about, DELIVERING, delivered, idsOf, place, register, SILENCE } from '../run/deliveries.ts'
import { nodeOf } from '../run/document.ts'
import { jsonIn } from '../run/exchange.ts'
import { PAYING, transfer, transferToKey } from '../run/payments.ts'
import type { Delivery } from '../run/receiver.ts'
import { isSuccess } from '../run/scene.ts'

export const deliveryOfTransfers: Law = {
  id: 'delivery-of-transfers',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  atStake: true,
  title: 'A transfer that ends is told, once, with the record as it is then.',
  advice: 'Write the event in the transaction that settles or rejects the transfer.',
  run: async (scene) => {
    const registered = await register(scene)
    const input = registered && (await transferToKey(scene))
    const paid = input && (await transfer(scene, input))
    if (!registered || !paid || !isSuccess(paid)) return scene.masked()
    const where = { ...place(scene), operation: 'createTransfer' }
    const [delivery] = await delivered(scene, registered.inbox, paid)
    if (!delivery)
      return void scene.expect(paid, 'Expected a delivery when the transfer ended, and none came.', where)
    scene.expect(paid, departure(delivery), where)
    await scene.pause(SILENCE)
    const { length } = idsOf(about(registered.inbox.deliveries, paid))
    const message = `Expected one event when the transfer ended, got ${length}.`
    scene.expect(paid, length > 1 ? message : undefined, { ...where, about: 'once' })
  },
}

/** The event is named after the state of the record that it shows. */
function departure({ text }: Delivery): string | undefined {
  const { type, data } = nodeOf(jsonIn(text))
  const { status } = nodeOf(data)
  const isRight = type === `transfer.${status}`
  return isRight ? undefined : `Expected the event of a transfer that is ${status}, got ${type}.`
}

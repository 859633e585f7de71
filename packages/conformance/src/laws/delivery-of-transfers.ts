import type { Law } from '../law.ts'
import { DELIVERING, PATIENCE, place, register } from '../run/deliveries.ts'
import { nodeOf } from '../run/document.ts'
import { jsonIn } from '../run/exchange.ts'
import { isSuccess, PAYING, transfer, transferToKey } from '../run/payments.ts'

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
    const { id } = nodeOf(paid.body)
    const told = async () =>
      registered.inbox.deliveries
        .map(({ text }) => nodeOf(jsonIn(text)))
        .filter((it) => nodeOf(it.data).id === id)
    const until = performance.now() + PATIENCE
    while (performance.now() < until && (await told()).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 50))
    const [event] = await told()
    if (!event)
      return void scene.expect(paid, 'Expected a delivery when the transfer ended, and none came.', {
        ...place(scene),
        operation: 'createTransfer',
      })
    const isRight = event.type === `transfer.${nodeOf(event.data).status}`
    scene.expect(
      paid,
      isRight
        ? undefined
        : `Expected the event of a transfer that is ${nodeOf(event.data).status}, got ${event.type}.`,
      { ...place(scene), operation: 'createTransfer' },
    )
  },
}

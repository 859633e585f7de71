import type { Law } from '../law.ts'
import { DELIVERING, jsonOf, place, transferTold } from '../run/deliveries.ts'
import { nodeOf } from '../run/document.ts'
import { PAYING } from '../run/payments.ts'
import { isSuccess } from '../run/scene.ts'

/** The key of a sandbox whose owner can never be paid. */
const REJECTING = 'ac03@reject.example.com'

export const rejectionTold: Law = {
  id: 'rejection-told',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  atStake: true,
  title: 'A transfer that is rejected is told, with the reason.',
  advice: 'Write the event in the transaction that gives the money back.',
  run: async (scene) => {
    // No other service says in advance which transfers it will reject.
    if (scene.target !== 'sandbox') return
    const looked = await scene.send(scene.contract.operation('checkKey'), { body: { dict_key: REJECTING } })
    const { initiation_id } = nodeOf(looked.body)
    if (!isSuccess(looked) || typeof initiation_id !== 'string') return scene.masked()
    const body = { type: 'dict', amount: '0.01', dict_key: REJECTING, initiation_id }
    const told = await transferTold(scene, async () => ({ body }))
    const event = nodeOf(jsonOf(told?.delivery.text ?? '{}'))
    const data = nodeOf(event.data)
    const isRight =
      event.type === 'transfer.rejected' && data.status === 'rejected' && data.rejection_message !== ''
    const message = 'Expected the delivery of transfer.rejected with its reason, and none came.'
    scene.expect(told?.paid ?? looked, isRight ? undefined : message, {
      ...place(scene),
      operation: 'createTransfer',
    })
  },
}

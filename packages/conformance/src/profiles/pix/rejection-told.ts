import { isSuccess } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { jsonIn } from '../../transport/exchange.ts'
import { DELIVERING, place, transferTold } from './deliveries/helpers.ts'
import { PAYING } from './payments.ts'

/** The key of a sandbox whose owner can never be paid; no other service says in advance which transfers it will reject. */
const REJECTING = 'ac03@reject.example.com'

export const rejectionTold: Law = {
  id: 'rejection-told',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  isOfSandbox: true,
  atStake: true,
  title: 'A transfer that is rejected is told, with the reason.',
  advice: 'Write the event in the transaction that gives the money back.',
  run: async (scene) => {
    const looked = await scene.send(scene.contract.operation('checkKey'), { body: { dict_key: REJECTING } })
    const { initiation_id } = nodeOf(looked.body)
    if (!isSuccess(looked) || typeof initiation_id !== 'string') return scene.masked()
    const body = { type: 'dict', amount: '0.01', dict_key: REJECTING, initiation_id }
    const told = await transferTold(scene, async () => ({ body }))
    // A webhook that was refused, or a transfer, tells nothing.
    if (!told) return scene.masked()
    const event = nodeOf(jsonIn(told.delivery?.text ?? ''))
    const data = nodeOf(event.data)
    const isRight =
      event.type === 'transfer.rejected' && data.status === 'rejected' && isText(data.rejection_message)
    const message = 'Expected the delivery of transfer.rejected with its reason, and none came.'
    scene.expect(told.paid, isRight ? undefined : message, {
      ...place(scene),
      operation: 'createTransfer',
    })
  },
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

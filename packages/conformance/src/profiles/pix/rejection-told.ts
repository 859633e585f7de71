import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { jsonIn } from '../../model/http.ts'
import { DELIVERING, place, transferTold } from './deliveries/helpers.ts'
import { PAYING } from './payments.ts'

/** The key of a sandbox whose owner can never be paid; no other service says in advance which transfers it will reject. */
const REJECTING = 'ac03@reject.example.com'

export const rejectionTold: Rule = {
  id: 'rejection-told',
  phase: 'deliveries',
  cites: { question: 'event-kinds' },
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  isOfSandbox: true,
  impact: 'high',
  title: 'A transfer that is rejected is told, with the reason.',
  advice: 'Write the event in the transaction that gives the money back.',
  run: async (context) => {
    const looked = await context.send(context.contract.operation('checkKey'), {
      body: { dict_key: REJECTING },
    })
    const { initiation_id } = nodeOf(looked.body)
    if (!isSuccess(looked) || typeof initiation_id !== 'string') return context.inconclusive()
    const body = { type: 'dict', amount: '0.01', dict_key: REJECTING, initiation_id }
    const told = await transferTold(context, async () => ({ body }))
    // A webhook that was refused, or a transfer, tells nothing.
    if (!told) return context.inconclusive()
    const event = nodeOf(jsonIn(told.delivery?.text ?? ''))
    const data = nodeOf(event.data)
    const isRight =
      event.type === 'transfer.rejected' && data.status === 'rejected' && isText(data.rejection_message)
    const message = 'Expected the delivery of transfer.rejected with its reason, and none came.'
    context.expect(told.paid, isRight ? undefined : message, {
      ...place(context),
      operation: 'createTransfer',
    })
  },
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

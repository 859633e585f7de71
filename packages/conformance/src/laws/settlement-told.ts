import { nodeOf } from '../contract/document.ts'
import type { Law } from '../law.ts'
import { unsettled } from '../payments/settlement.ts'
import { isSuccess } from '../run/scene.ts'

export const settlementTold: Law = {
  id: 'settlement-told',
  phase: 'every answer',
  question: 'transfer-statuses',
  isOurs: true,
  title: 'A transfer says when it was settled once it was, and why it was rejected once it was.',
  advice: 'Leave settled_at and rejection_message empty until they are known.',
  everyAnswer: (exchange) => {
    const { data } = nodeOf(exchange.body)
    if (!isSuccess(exchange) || typeof nodeOf(data).end_to_end_id !== 'string') return undefined
    const message = unsettled(data)
    const contract = '/components/schemas/TransferData'
    return message ? [{ operation: exchange.view?.id, contract, message }] : []
  },
}

import { nodeOf } from '../contract/document.ts'
import { placeOfMember } from '../contract/place-of-member.ts'
import type { Law } from '../law.ts'
import { isSuccess } from '../run/scene.ts'

export const transferEnvelope: Law = {
  id: 'transfer-envelope',
  phase: 'every answer',
  question: 'transfer-envelope',
  isOurs: true,
  title: 'id and status of a transfer are those of its data.',
  advice: 'Take both from one record.',
  everyAnswer: (exchange, contract) => {
    const { id, status, data } = nodeOf(exchange.body)
    const inner = nodeOf(data)
    if (!isSuccess(exchange) || typeof inner.end_to_end_id !== 'string') return undefined
    const name = inner.id !== id ? 'id' : inner.status !== status ? 'status' : undefined
    return name
      ? [
          {
            operation: exchange.view?.id,
            contract: placeOfMember(contract, exchange),
            message: `Expected "${name}" to be that of data, got another.`,
            about: name,
          },
        ]
      : []
  },
}

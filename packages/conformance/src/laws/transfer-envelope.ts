import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess } from '../run/scene.ts'

export const transferEnvelope: Law = {
  id: 'transfer-envelope',
  phase: 'every answer',
  question: 'transfer-envelope',
  title: 'id and status of a transfer are those of its data.',
  advice: 'Take both from one record.',
  everyAnswer: (exchange) => {
    const { id, status, data } = nodeOf(exchange.body)
    const inner = nodeOf(data)
    if (!isSuccess(exchange) || typeof inner.end_to_end_id !== 'string') return undefined
    const name = inner.id !== id ? 'id' : inner.status !== status ? 'status' : undefined
    const contract = '/components/schemas/Transfer'
    return name
      ? [
          {
            operation: exchange.view?.id,
            contract,
            message: `Expected "${name}" to be that of data, got another.`,
            about: name,
          },
        ]
      : []
  },
}

import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { listIn } from '../run/records.ts'
import { isSuccess } from '../run/scene.ts'

export const timestampsOrdered: Law = {
  id: 'timestamps-ordered',
  phase: 'every answer',
  title: 'No record was updated before it was created.',
  advice: 'Set updated_at when the record is written, by the clock that set created_at.',
  everyAnswer: (exchange) => {
    if (!isSuccess(exchange)) return undefined
    const { body } = exchange
    const records = [body, nodeOf(body).data, ...listIn(body)].map(nodeOf)
    const dated = records.filter((it) => it.created_at !== undefined && it.updated_at !== undefined)
    if (dated.length === 0) return undefined
    const isWrong = dated.some((it) => Date.parse(String(it.updated_at)) < Date.parse(String(it.created_at)))
    const message = 'Expected updated_at not to be before created_at, and it is.'
    return isWrong ? [{ operation: exchange.view?.id, contract: exchange.view?.pointer ?? '', message }] : []
  },
}

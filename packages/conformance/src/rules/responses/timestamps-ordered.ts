import type { Rule } from '../../engine/rule.ts'
import type { Violation } from '../../engine/violation.ts'
import type { Contract } from '../../model/contract.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { isCreatedElsewhen } from '../records/created-at.ts'
import { listIn } from '../records/records.ts'

export const timestampsOrdered: Rule = {
  id: 'timestamps-ordered',
  phase: 'responses',
  cites: { standard: 'common practice: a record is created before it is updated' },
  // A mock shows what its contract shows.
  stateful: true,
  title:
    'No record was updated before it was created, and none was created at another time than when it was asked for.',
  advice: 'Set updated_at when the record is written, by the clock that set created_at.',
  judgeResponse: (exchange, contract) => {
    if (!isSuccess(exchange)) return undefined
    const { body } = exchange
    const late = createdThen(exchange, contract)
    if (late) return [late]
    const records = [body, nodeOf(body).data, ...listIn(body)].map(nodeOf)
    const dated = records.filter((it) => it.created_at !== undefined && it.updated_at !== undefined)
    if (dated.length === 0) return undefined
    const isWrong = dated.some((it) => Date.parse(String(it.updated_at)) < Date.parse(String(it.created_at)))
    const message = 'Expected updated_at not to be before created_at, and it is.'
    return isWrong ? [{ operation: exchange.view?.id, contract: exchange.view?.pointer ?? '', message }] : []
  },
}

/** What is wrong with the moment of a creation, which was asked for just now. */
function createdThen(exchange: Exchange, contract: Contract): Violation | undefined {
  const { view, body } = exchange
  if (view?.method !== 'POST' || !isCreatedElsewhen(body, exchange, contract)) return undefined
  return {
    operation: view.id,
    contract: view.pointer,
    message: 'Expected created_at to be now, in UTC, got another time.',
    about: 'created',
    question: 'timestamp-formats',
  }
}

import { stringAt } from '../../contract/json.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { SentValue, ValueHistory } from '../../model/values.ts'
import type { Model } from '../../model.ts'
import type { Report } from '../../report/report.ts'
import { cite, type RuleContext } from '../rule.ts'
import { findUniqueField } from './declarations.ts'
import { expectValueRefused, isSentConcurrently } from './refused-values.ts'

/**
 * Expects that a request with a unique value, such as a `tx_id`, is refused with the declared code, `tx_id_taken`,
 * since an earlier request with the value was accepted.
 *
 * @param sentValue The value, and its pointer in the request.
 * @param valueHistory The earlier requests with the value, and the ids of the records that have it.
 */
export function expectTakenRefused(
  sentValue: SentValue,
  valueHistory: ValueHistory,
  exchange: Exchange,
  report: Report,
): void {
  // A service may return the record of the earlier request instead of a refusal, which is another finding.
  const id = stringAt(exchange.responseBody, '/id')
  const isEarlierRecord = id !== undefined && valueHistory.records.includes(id)
  const about = isEarlierRecord ? `${sentValue.pointer} repeated` : sentValue.pointer
  const declared = findUniqueField(sentValue, exchange)
  expectValueRefused({ about, words: 'that a record of the partner has' }, sentValue, {
    cites: cite(declared),
    refusal: declared?.refusal,
    exchange,
    report,
  })
}

/**
 * Reports a request that is refused with 409, as if its unique value were taken, although no record of the partner
 * has the value: nobody has used it, or another partner has, whose values do not count.
 *
 * @param sentValue The value, and its pointer in the request.
 * @param historyOfPartner The earlier requests of the partner with the value; undefined if there was none.
 */
export function reportRefusedUnused(
  sentValue: SentValue,
  historyOfPartner: ValueHistory | undefined,
  { exchange, model, report }: RuleContext,
): void {
  if (exchange.status !== 409 || !model.isComplete) return
  if (isSentConcurrently(exchange, sentValue)) return

  const user = findUser(sentValue, historyOfPartner, model)
  if (user === 'perhaps this partner') return

  const message = `${exchange.operation?.id} refused a ${sentValue.pointer} that ${user} has used (409).`
  report.failed(exchange, cite(findUniqueField(sentValue, exchange)), message, {
    about: `${sentValue.pointer} of others`,
  })
}

/**
 * Finds who has used a unique value before a partner sends it. `perhaps this partner` if a request of the partner
 * with the value was accepted, has an unknown outcome, or may be forgotten.
 */
function findUser(
  sentValue: SentValue,
  historyOfPartner: ValueHistory | undefined,
  { values }: Model,
): 'perhaps this partner' | 'only another partner' | 'nobody' {
  const { accepted = [], unknown = [] } = historyOfPartner ?? {}
  const mayBeTaken = accepted.length > 0 || unknown.length > 0
  if (mayBeTaken) return 'perhaps this partner'
  if (values.wasAccepted(sentValue)) return 'only another partner'

  // The rule once-refused judges a value that this partner only sent in refused requests.
  const isUnused = historyOfPartner === undefined && values.forgotten === 0
  return isUnused ? 'nobody' : 'perhaps this partner'
}

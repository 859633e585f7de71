import type { Departure } from '../../causes/once.ts'
import { stringAt } from '../../contract/json.ts'
import { mayContain } from '../../history.ts'
import { type Exchange, isValid } from '../../model/exchange.ts'
import { OF_NO_CONTENT } from '../../model/refusals.ts'
import type { SentValue } from '../../model/values.ts'
import type { Cites } from '../../report/report.ts'
import { expectCode } from '../refusal-code.ts'
import type { RuleContext } from '../rule.ts'
import { findOneTimeValue, findUniqueField } from './declarations.ts'

interface ExpectedRefusal extends Omit<RuleContext, 'model'> {
  readonly cites: Cites
  /** The code of the refusal; undefined if another fault may come first. */
  readonly refusal: string | undefined
  /** `critical` if money moves twice. Default: `high`. */
  readonly impact?: 'critical' | 'high'
}

/**
 * Expects that a request is refused for the fault of one of its values, and with the declared code.
 *
 * @param departure What is wrong with the value, such as `a second time` (`words`).
 * @param sentValue The value, and its pointer in the request.
 */
export function expectValueRefused(
  { about, words }: Departure,
  sentValue: SentValue,
  expected: ExpectedRefusal,
): void {
  const { cites, refusal, exchange, report, impact = 'high' } = expected
  if (exchange.outcome === 'unknown') return

  report.expect(
    exchange.outcome !== 'accepted',
    {
      evidence: exchange,
      cites,
      about,
      impact,
    },
    () => `${exchange.operation?.id} accepted a ${sentValue.pointer} ${words}.`,
  )
  if (concernsValues(exchange))
    expectCode(refusal, `a ${sentValue.pointer} ${words}`, { cites, exchange, report })
}

/** Whether a refusal concerns what the values of a request mean, and not its form or its token. */
function concernsValues(exchange: Exchange): boolean {
  const hasAccessToken = exchange.token?.kind === 'access'
  return hasAccessToken && isValid(exchange) && !OF_NO_CONTENT.includes(exchange.status)
}

/** Whether a valid request is refused with the code that says that its value was used. */
export function isRefusedAsUsed(sentValue: SentValue, exchange: Exchange): boolean {
  if (exchange.outcome !== 'refused' || !isValid(exchange)) return false

  const declared = findUniqueField(sentValue, exchange) ?? findOneTimeValue(sentValue.name)?.used
  return stringAt(exchange.responseBody, '/code') === declared?.refusal
}

/** Whether another request with the same value is on its way at the same time. */
export function isSentConcurrently({ beside }: Exchange, { value }: SentValue): boolean {
  return beside.some(({ request }) => mayContain(request, value))
}

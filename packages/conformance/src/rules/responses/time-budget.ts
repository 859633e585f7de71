import type { Rule } from '../../engine/rule.ts'
import { placeOf } from './place.ts'

/** No fact limits the time of a response, so the user sets the limit. */
export const timeBudget: Rule = {
  id: 'time-budget',
  phase: 'responses',
  cites: { standard: 'the time given by --response-within' },
  title: 'Every response arrives within the time that --response-within sets.',
  advice: 'Find out what the operation waits for.',
  optIn: {
    option: 'responseWithinMs',
    reason: 'no time limit was set for responses (--response-within)',
  },
  judgeResponse: (exchange, _, run) => {
    const responseWithinMs = run?.responseWithinMs
    if (!exchange.view || responseWithinMs === undefined) return undefined
    if (exchange.response.ms <= responseWithinMs) return []
    return [
      { ...placeOf(exchange), message: `Expected a response within ${responseWithinMs} ms, waited longer.` },
    ]
  },
}

import type { Rule } from '../../engine/rule.ts'
import { placeOf } from './place.ts'

export const responseReceived: Rule = {
  id: 'response-received',
  phase: 'responses',
  cites: 'contract',
  title: 'Every request gets a response.',
  advice: 'Find out why the connection ended or timed out, and return problem details instead.',
  judgeResponse: (exchange) =>
    exchange.response.status === 0
      ? [{ ...placeOf(exchange), message: `Expected a response, got none: ${exchange.response.text}.` }]
      : [],
}

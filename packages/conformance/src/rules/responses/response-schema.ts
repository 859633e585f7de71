import { responseViolations } from '../../engine/response-violations.ts'
import type { Rule } from '../../engine/rule.ts'

export const responseSchema: Rule = {
  id: 'response-schema',
  phase: 'responses',
  cites: 'contract',
  title: 'Every field of a response matches its schema.',
  advice: 'Send the field as the contract declares it, or change the contract.',
  judgeResponse: (exchange, contract) =>
    responseViolations(exchange, contract, ({ place, keyword }) => place === 'body' && keyword !== 'unknown'),
}

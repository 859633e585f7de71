import { responseViolations } from '../../engine/response-violations.ts'
import type { Rule } from '../../engine/rule.ts'

export const responseSchema: Rule = {
  id: 'response-schema',
  phase: 'responses',
  cites: 'contract',
  title: 'Every body is as the contract says, member by member.',
  advice: 'Send the member as the contract says, or change the contract.',
  judgeResponse: (exchange, contract) =>
    responseViolations(exchange, contract, ({ place, keyword }) => place === 'body' && keyword !== 'unknown'),
}

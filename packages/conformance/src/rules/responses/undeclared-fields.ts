import { responseViolations } from '../../engine/response-violations.ts'
import type { Rule } from '../../engine/rule.ts'

export const undeclaredFields: Rule = {
  id: 'undeclared-fields',
  phase: 'responses',
  cites: { standard: 'fields that the contract does not declare' },
  title: 'No response has a field that the contract does not declare.',
  advice: 'Declare the field in the contract, or leave it out.',
  judgeResponse: (exchange, contract) =>
    // Without a question the field is an addition, which the contract does not forbid.
    responseViolations(exchange, contract, ({ keyword }) => keyword === 'unknown')?.map(
      ({ question, ...it }) => (question === undefined ? it : { ...it, question }),
    ),
}

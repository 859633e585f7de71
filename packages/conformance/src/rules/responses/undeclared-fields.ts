import { responseViolations } from '../../engine/response-violations.ts'
import type { Rule } from '../../engine/rule.ts'

export const undeclaredFields: Rule = {
  id: 'undeclared-fields',
  phase: 'responses',
  cites: { standard: 'fields that the contract does not declare' },
  title: 'No response has a field that the contract does not declare.',
  advice: 'Declare the field in the contract, or leave it out.',
  judgeResponse: (exchange, contract) =>
    // An addition is compatible: it contradicts no assumption, even if the contract assumes the whole record.
    responseViolations(exchange, contract, ({ keyword }) => keyword === 'unknown')?.map(
      ({ question: _, ...it }) => it,
    ),
}

import { findingsOf } from '../../engine/findings.ts'
import type { Law } from '../../engine/rule.ts'

export const responseSchema: Law = {
  id: 'response-schema',
  phase: 'every answer',
  title: 'Every body is as the contract says, member by member.',
  advice: 'Send the member as the contract says, or change the contract.',
  everyAnswer: (exchange, contract) =>
    findingsOf(exchange, contract, ({ place, keyword }) => place === 'body' && keyword !== 'unknown'),
}

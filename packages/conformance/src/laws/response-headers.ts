import type { Law } from '../law.ts'
import { findingsOf } from '../run/findings.ts'

export const responseHeaders: Law = {
  id: 'response-headers',
  phase: 'every answer',
  title: 'Every answer has the headers that the contract declares.',
  advice: 'Send the header.',
  everyAnswer: (exchange, contract) => findingsOf(exchange, contract, ({ place }) => place === 'header'),
}

import { findingsOf } from '../../engine/findings.ts'
import type { Law } from '../../engine/rule.ts'

export const undeclaredMembers: Law = {
  id: 'undeclared-members',
  phase: 'every answer',
  title: 'No body holds a member that the contract does not mention.',
  advice: 'Add the member to the contract, or leave it out.',
  everyAnswer: (exchange, contract) =>
    findingsOf(exchange, contract, ({ keyword }) => keyword === 'unknown')?.map((it) => ({
      ...it,
      isAddition: true,
    })),
}

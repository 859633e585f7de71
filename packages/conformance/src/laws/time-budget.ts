import type { Law } from '../law.ts'

/** Milliseconds that an answer may take: a person waits no longer without a sign. */
const BUDGET = 1_000

/** A matter of taste and of the network, so it never is a failure. */
export const timeBudget: Law = {
  id: 'time-budget',
  phase: 'every answer',
  title: 'Every answer comes within a second.',
  advice: 'Look for what the operation waits for.',
  everyAnswer: ({ view, reply }) =>
    view && reply.ms > BUDGET
      ? [
          {
            operation: view.id,
            contract: view.pointer,
            message: `Expected an answer within ${BUDGET} ms, waited longer.`,
            isAddition: true,
          },
        ]
      : [],
}

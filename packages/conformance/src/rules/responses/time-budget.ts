import type { Law } from '../../engine/rule.ts'

/** How long is too long is a matter of taste and of the network, so it has to be asked for, and is no broken fact. */
export const timeBudget: Law = {
  id: 'time-budget',
  phase: 'every answer',
  title: 'Every answer comes within the time that was given for it.',
  advice: 'Look for what the operation waits for.',
  optIn: {
    option: 'answerWithinMs',
    reason: 'no time was given that an answer may take (--answer-within)',
  },
  everyAnswer: ({ view, reply }, _, run) => {
    const answerWithinMs = run?.answerWithinMs
    if (!view || answerWithinMs === undefined) return undefined
    if (reply.ms <= answerWithinMs) return []
    const message = `Expected an answer within ${answerWithinMs} ms, waited longer.`
    return [{ operation: view.id, contract: view.pointer, message, isAddition: true }]
  },
}

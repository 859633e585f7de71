import type { Rule } from '../../engine/rule.ts'

/** How long is too long is a matter of taste and of the network, so it has to be asked for, and is no broken fact. */
export const timeBudget: Rule = {
  id: 'time-budget',
  phase: 'responses',
  cites: { standard: 'the time given by --response-within' },
  title: 'Every answer comes within the time that was given for it.',
  advice: 'Look for what the operation waits for.',
  optIn: {
    option: 'responseWithinMs',
    reason: 'no time was given that an answer may take (--response-within)',
  },
  judgeResponse: ({ view, response }, _, run) => {
    const responseWithinMs = run?.responseWithinMs
    if (!view || responseWithinMs === undefined) return undefined
    if (response.ms <= responseWithinMs) return []
    const message = `Expected an answer within ${responseWithinMs} ms, waited longer.`
    return [{ operation: view.id, contract: view.pointer, message }]
  },
}

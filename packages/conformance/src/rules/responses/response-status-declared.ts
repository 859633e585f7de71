import type { Law } from '../../engine/rule.ts'
import { below } from '../../model/document.ts'
import { keyOfStatus } from '../../model/statuses.ts'

/** A success that the contract does not have breaks it; an error that it does not have is an addition. */
export const responseStatusDeclared: Law = {
  id: 'response-status-declared',
  phase: 'every answer',
  title: 'Every status is one that the contract declares for the operation.',
  advice: 'Answer with a declared status, or declare this one.',
  everyAnswer: ({ view, reply, call }) => {
    // A HEAD is another method than the operation's.
    if (!view || call.method !== view.method || reply.status === 0) return undefined
    if (keyOfStatus(view.statuses, reply.status) !== undefined) return []
    const message = `Expected ${view.statuses.join(', ')}, got ${reply.status}.`
    const contract = below(view.pointer, 'responses')
    const about = String(reply.status)
    return [{ operation: view.id, contract, message, about, isAddition: reply.status >= 400 }]
  },
}

import type { Law } from '../law.ts'
import { below } from '../run/document.ts'

/** A success that the contract does not have breaks it; an error that it does not have is an addition. */
export const responseStatusDeclared: Law = {
  id: 'response-status-declared',
  phase: 'every answer',
  title: 'Every status is one that the contract declares for the operation.',
  advice: 'Answer with a declared status, or declare this one.',
  everyAnswer: ({ view, reply, call }) => {
    // A HEAD is another method than the operation's.
    if (!view || call.method !== view.method || reply.status === 0) return undefined
    if (isDeclared(view.statuses, reply.status)) return []
    const message = `Expected ${view.statuses.join(', ')}, got ${reply.status}.`
    const contract = below(view.pointer, 'responses')
    const about = String(reply.status)
    return [{ operation: view.id, contract, message, about, isAddition: reply.status >= 400 }]
  },
}

function isDeclared(statuses: readonly string[], status: number): boolean {
  return [String(status), `${Math.trunc(status / 100)}XX`, 'default'].some((it) => statuses.includes(it))
}

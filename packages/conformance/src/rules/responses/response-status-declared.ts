import type { Rule } from '../../engine/rule.ts'
import { below } from '../../model/document.ts'
import { keyOfStatus } from '../../model/statuses.ts'

/** A success that the contract does not have breaks it; an error that it does not have is an addition. */
export const responseStatusDeclared: Rule = {
  id: 'response-status-declared',
  phase: 'responses',
  cites: 'contract',
  title: 'Every status is one that the contract declares for the operation.',
  advice: 'Answer with a declared status, or declare this one.',
  judgeResponse: ({ view, response, request }) => {
    // A HEAD is another method than the operation's.
    if (!view || request.method !== view.method || response.status === 0) return undefined
    if (keyOfStatus(view.statuses, response.status) !== undefined) return []
    const message = `Expected ${view.statuses.join(', ')}, got ${response.status}.`
    const contract = below(view.pointer, 'responses')
    const about = String(response.status)
    return [
      { operation: view.id, contract, message, about, ...(response.status >= 400 && { cites: UNDECLARED }) },
    ]
  },
}

/** A contract need not list every refusal (OpenAPI 3.1, "Responses Object"). */
const UNDECLARED = { standard: 'OpenAPI 3.1, Responses Object: statuses known in advance' } as const

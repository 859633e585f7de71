import type { Rule } from '../../engine/rule.ts'
import { below } from '../../model/document.ts'
import { keyOfStatus } from '../../model/statuses.ts'

/** An undeclared success is a failure. An undeclared error is an addition. */
export const responseStatusDeclared: Rule = {
  id: 'response-status-declared',
  phase: 'responses',
  cites: 'contract',
  title: 'Every status is one that the contract declares for the operation.',
  advice: 'Return a declared status, or declare this one.',
  judgeResponse: ({ view, response, request }) => {
    // The contract does not declare HEAD.
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

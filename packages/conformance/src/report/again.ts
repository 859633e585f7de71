import type { BaselinedFinding, Finding } from '../engine/result.ts'

/** What shows a finding again: a command that does it alone, or `replay`, which brings about what it took. */
export function again({ id, evidence }: Finding): string {
  return evidence.isRepeatable ? evidence.curl : `replay ${id}`
}

/** Until when a baseline lets a finding pass, and why; undefined of one that it does not know. */
export function knownOf(finding: Finding | BaselinedFinding): string | undefined {
  return 'until' in finding ? `The baseline lets it pass until ${finding.until}: ${finding.why}` : undefined
}

/** What an exchange came to: `answered: 500, request id req_1`. */
export function answeredOf({ status, requestId }: Finding['evidence']): string {
  return `answered: ${status ?? 'nothing'}${requestId === undefined ? '' : `, request id ${requestId}`}`
}

import { timestamp } from '../../time.ts'
import { masked } from '../mask.ts'
import type { RecordedRequest } from '../recorder.ts'

/** Maximum bytes of all findings together, because the page reads them again after every change. */
const FINDINGS_BYTES = 128 * 1024

/** Requests for display. If their findings are too many, older requests show only the number. */
export function requestsOf(recorded: readonly RecordedRequest[]) {
  let left = FINDINGS_BYTES
  return recorded.map((request) => {
    const shown = requestOf(request)
    left -= Buffer.byteLength(JSON.stringify(shown.findings))
    return left >= 0 ? shown : { ...shown, findings: [] }
  })
}

/**
 * `operation` is null if none was found, `code` is null if nothing was refused, and `question` is null if the finding
 * contradicts a fact.
 */
function requestOf({ at, operation, code, duration_ms, findings, ...request }: RecordedRequest) {
  return {
    ...request,
    path: masked(request.path),
    at: timestamp(at),
    operation: operation ?? null,
    code: code ?? null,
    duration_ms: Math.round(duration_ms * 100) / 100,
    findings: findings.map((finding) => ({
      ...finding,
      message: masked(finding.message),
      question: finding.question ?? null,
    })),
  }
}

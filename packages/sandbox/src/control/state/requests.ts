import { timestamp } from '../../time.ts'
import type { RecordedRequest } from '../recorder.ts'

/** Bytes that all findings take together; what the page shows is read again with every change. */
const FINDINGS_BYTES = 128 * 1024

/** Requests as people see them. Where their findings are too many, the older ones show how many they had. */
export function requestsOf(recorded: readonly RecordedRequest[]) {
  let left = FINDINGS_BYTES
  return recorded.map((request) => {
    const shown = requestOf(request)
    left -= Buffer.byteLength(JSON.stringify(shown.findings))
    return left >= 0 ? shown : { ...shown, findings: [] }
  })
}

/** `operation` is null where none was found, `code` where nothing was refused, `question` where a fact was broken. */
function requestOf({ at, operation, code, duration_ms, findings, ...request }: RecordedRequest) {
  return {
    ...request,
    at: timestamp(at),
    operation: operation ?? null,
    code: code ?? null,
    duration_ms: Math.round(duration_ms * 100) / 100,
    findings: findings.map((finding) => ({ ...finding, question: finding.question ?? null })),
  }
}

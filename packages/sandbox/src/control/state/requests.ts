import type { Answered } from '../../service/service.ts'
import { timestamp } from '../../time.ts'

/** A request as people see it; `operation` is null where none was found, `question` where a fact was broken. */
export function requestOf({
  request_id,
  at,
  method,
  path,
  operation,
  status,
  duration_ms,
  findings,
}: Answered) {
  return {
    request_id,
    at: timestamp(at),
    method,
    path,
    operation: operation ?? null,
    status,
    duration_ms: Math.round(duration_ms * 100) / 100,
    findings: findings.map(({ place, pointer, message, question }) => ({
      place,
      pointer,
      message,
      question: question ?? null,
    })),
  }
}

import type { Finding } from '@partner-payments/validator'
import type { Answered } from '../service/service.ts'

/** Requests that are remembered. */
const KEPT = 100
/** Findings that are remembered of a request. */
const FINDINGS = 20
/** Characters that are remembered of a path, a pointer or a message; who sends a request decides how long they are. */
const CHARACTERS = 300

/** A request that was handled, as far as it is remembered. */
export interface RecordedRequest
  extends Pick<Answered, 'request_id' | 'at' | 'method' | 'path' | 'operation' | 'status' | 'duration_ms'> {
  /** The first ones, cut to what a person reads. */
  readonly findings: readonly Pick<Finding, 'place' | 'pointer' | 'message' | 'question'>[]
  /** How many there were. */
  readonly findings_count: number
}

/** Remembers the last requests, for the page. */
export interface Recorder {
  record(answered: Answered): void
  /** The newest first. */
  last(): readonly RecordedRequest[]
  /** Forgets all of them. */
  clear(): void
}

export function createRecorder(): Recorder {
  const kept: RecordedRequest[] = []
  return {
    record(answered) {
      kept.push(recordOf(answered))
      if (kept.length > KEPT) kept.shift()
    },
    last: () => kept.toReversed(),
    clear() {
      kept.length = 0
    },
  }
}

function recordOf(answered: Answered): RecordedRequest {
  const { request_id, at, method, path, operation, status, duration_ms, findings } = answered
  const request = { request_id, at, method, path: cut(path), operation, status, duration_ms }
  const shown = findings.slice(0, FINDINGS).map(({ place, pointer, message, question }) => ({
    place,
    pointer: cut(pointer),
    message: cut(message),
    ...(question !== undefined && { question }),
  }))
  return { ...request, findings: shown, findings_count: findings.length }
}

function cut(text: string): string {
  return text.length <= CHARACTERS ? text : `${text.slice(0, CHARACTERS - 1).toWellFormed()}…`
}

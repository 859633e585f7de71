import type { Finding } from '@partner-payments/validator'
import type { Attempted, Sent } from '../deliveries/deliver.ts'
import type { Exchange, HandledRequest, Message } from '../service/service.ts'
import { timestamp } from '../time.ts'
import { masked } from './mask.ts'

/** How many requests and delivery attempts are remembered. */
const MAX_REQUESTS = 100
const MAX_ATTEMPTS = 200
/**
 * Bytes remembered of each body. With headers and paths of up to 16 KB, everything takes at most 12
 * MB.
 */
const MAX_BODY_BYTES = 16_384
/** Findings remembered of a request. */
const MAX_FINDINGS = 20
/**
 * Characters remembered of a path, a pointer or a message. The sender decides how long these are.
 */
const MAX_CHARACTERS = 300

/** The start of a body, and its full length. */
export interface Bytes {
  readonly start: Buffer
  readonly size: number
}

type AttemptName = Pick<Attempted, 'event_id' | 'webhook_id' | 'attempt' | 'at'>

/** Remembers the last requests and attempts, for the page. */
export type Recorder = ReturnType<typeof createRecorder>

/**
 * Remembers the last requests to the sandbox and the last attempts of deliveries, for its page. In
 * memory only; the oldest are forgotten first.
 */
export function createRecorder() {
  const requests = new Map<string, { request: RecordedRequest; exchange: RecordedExchange }>()
  const attempts = new Map<string, Sent>()
  return {
    request(handled: HandledRequest, exchange: Exchange): void {
      const recorded = {
        request: summarizeRequest(handled),
        exchange: recordExchange(handled, exchange),
      }
      put(requests, handled.request_id, recorded, MAX_REQUESTS)
    },
    attempt(attempted: Attempted, sent: Sent): void {
      put(attempts, attemptKey(attempted), sent, MAX_ATTEMPTS)
    },
    /** Newest first. */
    last(): readonly RecordedRequest[] {
      const oldestFirst = Array.from(requests.values(), ({ request }) => request)
      return oldestFirst.reverse()
    },
    find: (request_id: string) => requests.get(request_id)?.exchange,
    /**
     * What was sent in an attempt, or undefined if nothing was sent or it is no longer remembered.
     */
    findAttempt: (attempt: AttemptName) => attempts.get(attemptKey(attempt)),
    clear(): void {
      requests.clear()
      attempts.clear()
    },
  }
}

/** Adds an item. The oldest is dropped when there are more than `max`. */
function put<T>(items: Map<string, T>, name: string, item: T, max: number): void {
  items.set(name, item)
  const [oldest] = items.keys()
  if (oldest !== undefined && items.size > max) items.delete(oldest)
}

/** `at` is part of the name because a redelivery restarts the attempt numbers. */
function attemptKey({ event_id, webhook_id, attempt, at }: AttemptName): string {
  return `${event_id} ${webhook_id} ${attempt} ${at}`
}

/** A request as it is listed, without secrets. */
export type RecordedRequest = ReturnType<typeof summarizeRequest>

/**
 * One row of the list of requests on the page. `operation` is null if the path leads to none,
 * `code` is null if nothing was refused, and the `question` of a finding is null if it contradicts
 * a fact.
 */
function summarizeRequest(handled: HandledRequest) {
  const firstFindings = handled.findings.slice(0, MAX_FINDINGS)
  return {
    request_id: handled.request_id,
    at: timestamp(handled.at),
    method: handled.method,
    path: maskStart(handled.path),
    operation: handled.operation ?? null,
    status: handled.status,
    duration_ms: Math.round(handled.duration_ms * 100) / 100,
    code: handled.code ?? null,
    findings: firstFindings.map(maskFinding),
    findings_count: handled.findings.length,
  }
}

/**
 * A finding with the secrets in its texts masked. A finding is one place of a request that breaks
 * the contract.
 */
function maskFinding({ place, pointer, message, question }: Finding) {
  return {
    place,
    pointer: maskStart(pointer),
    message: maskStart(message),
    question: question ?? null,
  }
}

/** A request and its response with their secrets, which are masked for display. */
export type RecordedExchange = ReturnType<typeof recordExchange>

/**
 * A request and its response, as the recorder keeps them: their bodies are cut, and `response` is
 * null if none was sent.
 */
function recordExchange(
  { method, path, code }: HandledRequest,
  { query, request, response }: Exchange,
) {
  return {
    method,
    path,
    query,
    code,
    request: recordMessage(request),
    response: response ? recordMessage(response) : null,
  }
}

/** `body` is null if it was not read. */
function recordMessage({ headers, body }: Message) {
  if (body === undefined) return { headers, body: null }
  // Of a string or of bytes alike, which the types of Buffer.from cannot say.
  return { headers, body: truncateBytes(Buffer.from(body as string)) }
}

/** Copy when truncating: a subarray would keep the whole buffer in memory. */
function truncateBytes(bytes: Buffer): Bytes {
  const size = bytes.byteLength
  if (size <= MAX_BODY_BYTES) return { start: bytes, size }
  return { start: Buffer.from(bytes.subarray(0, MAX_BODY_BYTES)), size }
}

/** The start of a text, without secrets. */
function maskStart(text: string): string {
  if (text.length <= MAX_CHARACTERS) return masked(text)
  const start = text.slice(0, MAX_CHARACTERS - 1).toWellFormed()
  return masked(`${start}…`)
}

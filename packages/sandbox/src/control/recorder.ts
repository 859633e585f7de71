import type { Finding } from '@partner-payments/validator'
import type { Attempted, Sent } from '../deliveries/deliver.ts'
import type { Keepers } from '../sandbox.ts'
import type { Answered, Exchange } from '../service/service.ts'
import { createKept } from './kept.ts'

/** Requests, and attempts of deliveries, that are remembered. */
const REQUESTS = 100
const ATTEMPTS = 200
/** Bytes that are remembered of each body, so all takes 12 MB at most: headers and paths have 16 KB. */
const BODY_BYTES = 16_384
/** Findings that are remembered of a request. */
const FINDINGS = 20
/** Characters that are remembered of a path, a pointer or a message; who sends a request decides how long they are. */
const CHARACTERS = 300

/** A request that was handled, as far as it is remembered. */
export interface RecordedRequest
  extends Pick<
    Answered,
    'request_id' | 'at' | 'method' | 'path' | 'operation' | 'status' | 'duration_ms' | 'code'
  > {
  /** The first ones, cut to what a person reads. */
  readonly findings: readonly Pick<Finding, 'place' | 'pointer' | 'message' | 'question'>[]
  /** How many there were. */
  readonly findings_count: number
}

/** Both sides of a request, with their secrets: they are masked when they are shown. */
export interface RecordedExchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly code: string | undefined
  readonly request: Message
  readonly response: Message | null
}

interface Message {
  readonly headers: readonly (readonly [string, string])[]
  /** Null where it was not read. */
  readonly body: Bytes | null
}

/** The start of a body, and how long it was. */
export interface Bytes {
  readonly start: Buffer
  readonly size: number
}

/** Remembers the last requests and attempts, for the page. */
export interface Recorder extends Keepers {
  /** The newest first. */
  last(): readonly RecordedRequest[]
  find(request_id: string): RecordedExchange | undefined
  /** What was sent in an attempt; undefined where nothing was, or it is forgotten. */
  findAttempt(attempt: AttemptName): Sent | undefined
  /** Forgets all of them. */
  clear(): void
}

type AttemptName = Pick<Attempted, 'event_id' | 'webhook_id' | 'attempt' | 'at'>

export function createRecorder(): Recorder {
  const requests = createKept<RecordedRequest & { readonly exchange: RecordedExchange }>(REQUESTS)
  const attempts = createKept<Sent>(ATTEMPTS)
  return {
    request: (answered, exchange) =>
      requests.put(answered.request_id, {
        ...recordOf(answered),
        exchange: exchangeOf(answered, exchange),
      }),
    attempt: (attempted, sent) => attempts.put(nameOf(attempted), sent),
    last: () => requests.last().map(({ exchange: _, ...request }) => request),
    find: (request_id) => requests.get(request_id)?.exchange,
    findAttempt: (attempt) => attempts.get(nameOf(attempt)),
    clear() {
      requests.clear()
      attempts.clear()
    },
  }
}

/** After a redelivery the numbers begin again. */
function nameOf({ event_id, webhook_id, attempt, at }: AttemptName): string {
  return [event_id, webhook_id, attempt, at].join(' ')
}

function recordOf(answered: Answered): RecordedRequest {
  const { request_id, at, method, path, operation, status, duration_ms, code, findings } = answered
  const request = { request_id, at, method, path: cut(path), operation, status, duration_ms, code }
  const shown = findings.slice(0, FINDINGS).map(({ place, pointer, message, question }) => ({
    place,
    pointer: cut(pointer),
    message: cut(message),
    ...(question !== undefined && { question }),
  }))
  return { ...request, findings: shown, findings_count: findings.length }
}

function exchangeOf({ method, path, code }: Answered, exchange: Exchange): RecordedExchange {
  const { requestHeaders, query, received, response } = exchange
  const headers = [...requestHeaders]
  return {
    method,
    path,
    query,
    code,
    request: { headers, body: received ? bytesOf(Buffer.from(received as ArrayBuffer)) : null },
    response: response
      ? { headers: Object.entries(response.headers), body: bytesOf(Buffer.from(response.text)) }
      : null,
  }
}

/** A copy where it is cut: a part would keep the whole. */
function bytesOf(bytes: Buffer): Bytes {
  const size = bytes.byteLength
  return { start: size <= BODY_BYTES ? bytes : Buffer.from(bytes.subarray(0, BODY_BYTES)), size }
}

function cut(text: string): string {
  return text.length <= CHARACTERS ? text : `${text.slice(0, CHARACTERS - 1).toWellFormed()}…`
}

import type { Attempted, Sent } from '../deliveries/deliver.ts'
import type { Exchange, HandledRequest, Message } from '../service/service.ts'
import { timestamp } from '../time.ts'
import { masked } from './mask.ts'

/** How many requests and delivery attempts are remembered. */
const REQUESTS = 100
const ATTEMPTS = 200
/**
 * Bytes remembered of each body. With headers and paths of up to 16 KB, everything takes at most 12
 * MB.
 */
const BODY_BYTES = 16_384
/** Findings remembered of a request. */
const FINDINGS = 20
/**
 * Characters remembered of a path, a pointer or a message. The sender decides how long these are.
 */
const CHARACTERS = 300

/** The start of a body, and its full length. */
export interface Bytes {
  readonly start: Buffer
  readonly size: number
}

type AttemptName = Pick<Attempted, 'event_id' | 'webhook_id' | 'attempt' | 'at'>

/** Remembers the last requests and attempts, for the page. */
export type Recorder = ReturnType<typeof createRecorder>

export function createRecorder() {
  const requests = new Map<string, { request: RecordedRequest; exchange: RecordedExchange }>()
  const attempts = new Map<string, Sent>()
  return {
    request(handled: HandledRequest, exchange: Exchange): void {
      const recorded = { request: listedOf(handled), exchange: exchangeOf(handled, exchange) }
      put(requests, handled.request_id, recorded, REQUESTS)
    },
    attempt: (attempted: Attempted, sent: Sent) => put(attempts, nameOf(attempted), sent, ATTEMPTS),
    /** Newest first. */
    last: (): readonly RecordedRequest[] =>
      [...requests.values()].reverse().map(({ request }) => request),
    find: (request_id: string) => requests.get(request_id)?.exchange,
    /**
     * What was sent in an attempt, or undefined if nothing was sent or it is no longer remembered.
     */
    findAttempt: (attempt: AttemptName) => attempts.get(nameOf(attempt)),
    clear(): void {
      requests.clear()
      attempts.clear()
    },
  }
}

/** Adds an item. The oldest is dropped when there are more than `most`. */
function put<T>(items: Map<string, T>, name: string, item: T, most: number): void {
  items.set(name, item)
  const [oldest = ''] = items.keys()
  if (items.size > most) items.delete(oldest)
}

/** `at` is part of the name because a redelivery restarts the attempt numbers. */
function nameOf({ event_id, webhook_id, attempt, at }: AttemptName): string {
  return [event_id, webhook_id, attempt, at].join(' ')
}

/** A request as it is listed, without secrets. */
export type RecordedRequest = ReturnType<typeof listedOf>

/**
 * `operation` is null if none was found, `code` is null if nothing was refused, and `question` is
 * null if the finding contradicts a fact.
 */
function listedOf(handled: HandledRequest) {
  const { request_id, at, method, path, operation, status, duration_ms, code, findings } = handled
  return {
    request_id,
    at: timestamp(at),
    method,
    path: shown(path),
    operation: operation ?? null,
    status,
    duration_ms: Math.round(duration_ms * 100) / 100,
    code: code ?? null,
    findings: findings.slice(0, FINDINGS).map(({ place, pointer, message, question = null }) => ({
      place,
      pointer: shown(pointer),
      message: shown(message),
      question,
    })),
    findings_count: findings.length,
  }
}

/** A request and its response with their secrets, which are masked for display. */
export type RecordedExchange = ReturnType<typeof exchangeOf>

function exchangeOf(
  { method, path, code }: HandledRequest,
  { query, request, response }: Exchange,
) {
  return {
    method,
    path,
    query,
    code,
    request: messageOf(request),
    response: response ? messageOf(response) : null,
  }
}

/** `body` is null if it was not read. */
function messageOf({ headers, body }: Message) {
  return { headers, body: body === undefined ? null : bytesOf(Buffer.from(body as string)) }
}

/** Copy when truncating: a subarray would keep the whole buffer in memory. */
function bytesOf(bytes: Buffer): Bytes {
  const size = bytes.byteLength
  return { start: size <= BODY_BYTES ? bytes : Buffer.from(bytes.subarray(0, BODY_BYTES)), size }
}

function shown(text: string): string {
  const start =
    text.length <= CHARACTERS ? text : `${text.slice(0, CHARACTERS - 1).toWellFormed()}…`
  return masked(start)
}

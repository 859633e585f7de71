import { parseJson, readCopy } from './body.ts'
import { type Clock, systemClock } from './clock.ts'
import { type ErrorKind, PaymentsError } from './errors.ts'
import { masked, safeHeaders } from './masking.ts'
import { describeOperation } from './operation.ts'
import type { Attempt, Fetch } from './options.ts'
import { safeRequestId } from './refusal.ts'

/**
 * A log record of one attempt, without personal data: `path` is that of the contract, since
 * parameters are personal.
 */
export interface LogRecord extends Omit<Attempt, 'number'> {
  /** 1 for the first attempt, 2 for the next. */
  readonly attempt: number
  /** Milliseconds until the response was read completely or the attempt failed. */
  readonly duration: number
  /** The HTTP status; absent if there was no response. */
  readonly status?: number
  /** Why there was no response. */
  readonly error?: ErrorKind
  /**
   * The header x-request-id, else `request_id` of the problem: an assumption about the open
   * question `errors`.
   */
  readonly requestId?: string
  /** The request, with the option `bodies`. */
  readonly request?: LoggedMessage
  /** The response, with the option `bodies`. */
  readonly response?: LoggedMessage
}

/** A masked request or response: `***` replaces every value that is not known to be harmless. */
export interface LoggedMessage {
  /** `content-type`, `retry-after` and `x-request-id`, if present. */
  readonly headers: Readonly<Record<string, string>>
  readonly query?: unknown
  readonly body?: unknown
}

/** Options of `logging`. */
export interface LoggingOptions {
  /** Adds the masked `request` and `response`. Default: false. */
  readonly bodies?: boolean
  /** Sends the attempt. Default: the global `fetch`. */
  readonly fetch?: Fetch
  /** The clock, in milliseconds. Default: the system clock. */
  readonly clock?: Pick<Clock, 'now'>
}

/**
 * A `fetch` that passes one record per attempt to `sink`. A record contains no personal data: no
 * URL, key, name, document, amount or credentials. Errors of the sink are dropped, since a full
 * disk must not fail a payment.
 *
 * pino: `logging((record) => logger.info(record))`, winston: `logging((record) =>
 * logger.info('payments', record))`.
 *
 * @example
 * const fetch = logging((record) => console.log(JSON.stringify(record)), { bodies: true })
 * const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret }, fetch })
 */
export function logging(sink: (record: LogRecord) => unknown, options: LoggingOptions = {}): Fetch {
  const {
    bodies = false,
    clock = systemClock,
    fetch: send = (url, init) => fetch(url, init),
  } = options
  return async (url, init, attempt) => {
    const startedAt = clock.now()
    let isOver = false

    // Passes the record of this attempt to `sink`, once: the first outcome counts.
    const writeRecord = async (outcome: Outcome, response?: LoggedMessage) => {
      if (isOver) return
      isOver = true
      const messages = bodies ? joinMessages(recordRequest(url, init), response) : {}
      await sink({
        ...describeOperation(attempt),
        attempt: attempt.number,
        duration: clock.now() - startedAt,
        ...outcome,
        ...messages,
      })
    }
    // Writes the record, but drops errors of the sink.
    const end = (outcome: Outcome, response?: LoggedMessage) => {
      writeRecord(outcome, response).catch(() => {})
    }
    const fail = (error: unknown) => end({ error: readErrorKind(error) })

    const { signal } = init
    // After an abort, such as a timeout, the record does not wait for `fetch`, which may ignore it.
    const abort = () => fail(signal?.reason)
    signal?.addEventListener('abort', abort)
    try {
      const response = await send(url, init, attempt)
      const text = (await readCopy(response, attempt)) ?? ''
      const data = parseJson(text, text)
      end(readOutcome(response, data), recordResponse(response, data))
      return response
    } catch (error) {
      fail(error)
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
}

type Outcome = Pick<LogRecord, 'status' | 'requestId' | 'error'>

function joinMessages(request: LoggedMessage, response: LoggedMessage | undefined) {
  return response ? { request, response } : { request }
}

/** The kind of an error as the caller sees it. */
function readErrorKind(error: unknown): ErrorKind {
  return error instanceof PaymentsError ? error.kind : 'connection'
}

function readOutcome(response: Response, data: unknown): Outcome {
  const { status } = response
  const requestId = safeRequestId({ response, data })
  return requestId === undefined ? { status } : { status, requestId }
}

/**
 * The headers, query and body of a request for the log, with personal values masked. Query and body
 * are left out if the request has none.
 */
function recordRequest(url: string, init: RequestInit): LoggedMessage {
  const headers = safeHeaders(new Headers(init.headers))
  const message: { headers: typeof headers; query?: unknown; body?: unknown } = { headers }

  const parameters = Object.fromEntries(new URL(url).searchParams)
  const hasQuery = Object.keys(parameters).length > 0
  if (hasQuery) message.query = masked(parameters)

  // The body of a request of effect `once` is a stream, which `String` converts to its text.
  if (init.body != null) message.body = masked(parseJson(String(init.body), ''))
  return message
}

function recordResponse({ headers }: Response, data: unknown): LoggedMessage {
  if (data === '') return { headers: safeHeaders(headers) }
  return { headers: safeHeaders(headers), body: masked(data) }
}

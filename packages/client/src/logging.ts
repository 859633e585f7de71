import { type Clock, systemClock } from './clock.ts'
import type { ErrorKind } from './errors.ts'
import type { Problem } from './generated/contract.ts'
import { masked, maskedQuery, safeHeaders, safeRequestId } from './masking.ts'
import type { Attempt, AttemptResult, Middleware } from './middleware.ts'
import { kindOf, observe } from './observe.ts'

/** A log record of one attempt, without personal data. */
export interface LogRecord {
  readonly operationId: string
  readonly effect: Attempt['effect']
  readonly method: string
  /** The path template of the contract; parameter values are personal. */
  readonly path: string
  /** 1 for the first attempt, 2 for the next. */
  readonly attempt: number
  /** Milliseconds until the response was read completely or the attempt failed. */
  readonly duration: number
  /** The HTTP status; absent if there was no response. */
  readonly status?: number
  /** Why there was no response. */
  readonly error?: ErrorKind
  /** The header x-request-id, else `request_id` of the problem: an assumption about the open question `errors`. */
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
  /** The clock, in milliseconds. Default: the system clock. */
  readonly clock?: Pick<Clock, 'now'>
}

/**
 * A middleware that passes one record per attempt to `sink`. A record contains no personal data: no URL, key, name,
 * document, amount or credentials. Errors of the sink are dropped, since a full disk must not fail a payment.
 *
 * Put it last to log the request as it is sent, after all other middlewares.
 *
 * pino: `logging((record) => logger.info(record))`, winston: `logging((record) => logger.info('payments', record))`.
 *
 * @example
 * const middleware = [logging((record) => console.log(JSON.stringify(record)), { bodies: true })]
 * const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret }, middleware })
 */
export function logging(sink: (record: LogRecord) => unknown, options: LoggingOptions = {}): Middleware {
  const { bodies = false, clock = systemClock } = options
  return (attempt, next) => {
    const began = clock.now()
    return observe(attempt, next, (result, error) => {
      const { operationId, effect, method, path, number } = attempt
      const duration = clock.now() - began
      const base = { operationId, effect, method, path, attempt: number, duration }
      const outcome = result ? responseFields(result) : { error: kindOf(error) }
      return sink({ ...base, ...outcome, ...(bodies && messages(attempt, result)) })
    })
  }
}

function responseFields({ response: { status, headers }, data }: AttemptResult) {
  const requestId = headers.get('x-request-id') ?? (data as Problem | undefined)?.request_id
  const safe = safeRequestId(requestId)
  return safe === undefined ? { status } : { status, requestId: safe }
}

function messages(attempt: Attempt, result: AttemptResult | undefined) {
  return { request: requestOf(attempt), ...(result && { response: responseOf(result) }) }
}

function requestOf({ url, headers, body }: Attempt): LoggedMessage {
  const query = maskedQuery(url)
  return {
    headers: safeHeaders((name) => headers[name]),
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body: masked(parse(body)) }),
  }
}

function responseOf({ response, data }: AttemptResult): LoggedMessage {
  const headers = safeHeaders((name) => response.headers.get(name))
  return { headers, ...(data !== undefined && { body: masked(data) }) }
}

/** A body that is not JSON, written by another middleware, is masked as a whole. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import { type Clock, systemClock } from './clock.ts'
import type { ErrorKind } from './errors.ts'
import type { Problem } from './generated/contract.ts'
import { masked, maskedQuery, shownHeaders, shownRequestId } from './masked.ts'
import type { Attempt, Middleware, Reply } from './middleware.ts'
import { kindOf, watched } from './watched.ts'

/** What is known of one attempt, without anything personal. */
export interface LogRecord {
  readonly operationId: string
  readonly effect: Attempt['effect']
  readonly method: string
  /** The path of the contract, with its parameters in braces: what fills them is personal. */
  readonly path: string
  /** 1, then one more for each time the request was sent again. */
  readonly attempt: number
  /** Milliseconds until the answer was read to its end, or the attempt had failed. */
  readonly duration: number
  /** The status of the answer, a refusal's too; absent where none came. */
  readonly status?: number
  /** Why no answer came. */
  readonly error?: ErrorKind
  /** The header x-request-id, else `request_id` of the problem: an assumption about the open question `errors`. */
  readonly requestId?: string
  /** What was sent, with the option `bodies`. */
  readonly request?: LoggedMessage
  /** What was answered, with the option `bodies`. */
  readonly response?: LoggedMessage
}

/** A request or an answer, masked: `***` stands for every value that is not known to be harmless. */
export interface LoggedMessage {
  /** Of content-type, retry-after and x-request-id those that are there. */
  readonly headers: Readonly<Record<string, string>>
  readonly query?: unknown
  readonly body?: unknown
}

/** What `logging` takes beside the sink. */
export interface LoggingOptions {
  /** Default: false. Adds `request` and `response`, masked. */
  readonly bodies?: boolean
  /** Tells the time, in milliseconds. Default: the system's. */
  readonly clock?: Pick<Clock, 'now'>
}

/**
 * A middleware that gives one record per attempt to `sink`. Nothing personal is in it: no URL, no key, no name, no
 * document, no amount, no credentials. What the sink throws is dropped, since a full disk must not fail a payment.
 *
 * Put it last to see what leaves, after every other middleware.
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
    return watched(attempt, next, (reply, error) => {
      const { operationId, effect, method, path, number } = attempt
      const duration = clock.now() - began
      const base = { operationId, effect, method, path, attempt: number, duration }
      const outcome = reply ? answered(reply) : { error: kindOf(error) }
      return sink({ ...base, ...outcome, ...(bodies && messages(attempt, reply)) })
    })
  }
}

function answered({ response: { status, headers }, data }: Reply) {
  const requestId = headers.get('x-request-id') ?? (data as Problem | undefined)?.request_id
  const shown = shownRequestId(requestId)
  return shown === undefined ? { status } : { status, requestId: shown }
}

function messages(attempt: Attempt, reply: Reply | undefined) {
  return { request: requestOf(attempt), ...(reply && { response: responseOf(reply) }) }
}

function requestOf({ url, headers, body }: Attempt): LoggedMessage {
  const query = maskedQuery(url)
  return {
    headers: shownHeaders((name) => headers[name]),
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body: masked(parse(body)) }),
  }
}

function responseOf({ response, data }: Reply): LoggedMessage {
  const headers = shownHeaders((name) => response.headers.get(name))
  return { headers, ...(data !== undefined && { body: masked(data) }) }
}

/** Another middleware may have written something else than JSON, which is masked as a whole. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

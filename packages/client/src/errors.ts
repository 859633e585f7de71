import type { Problem } from './generated/contract.ts'
import type { Operation, ReadResponse, SentRequest } from './operation.ts'
import { refusalOf, requestIdOf, requestNote } from './refusal.ts'

/** The kind of an error, for a `switch`. */
export type ErrorKind =
  | 'http'
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'decode'
  | 'outcome_unknown'
  | 'config'

export type Named = Pick<Operation, 'operationId'>

/**
 * The base class of every error of this package. `kind` distinguishes them.
 *
 * @example
 * try {
 *   await payments.users.get(user_id)
 * } catch (error) {
 *   if (error instanceof PaymentsError && error.kind === 'timeout') console.log(error.operationId)
 * }
 */
export abstract class PaymentsError extends Error {
  /** Distinguishes the errors. */
  declare readonly kind: ErrorKind
  /** The operation that was called; absent if there was none. */
  declare readonly operationId: string | undefined

  constructor(kind: ErrorKind, message: string, operation?: Named, cause?: unknown) {
    super(
      // The message of an HTTP error continues the operation: "createTransfer was refused (…)".
      operation ? `${operation.operationId}${kind === 'http' ? '' : ':'} ${message}` : message,
      cause === undefined ? undefined : { cause },
    )
    this.kind = kind
    this.operationId = operation?.operationId
    // Derived from the kind, since minifiers shorten class names.
    this.name = `${kind.replace(/(^|_)./g, (start) => start.slice(-1).toUpperCase())}Error`
  }
}

/**
 * The service returned an error response.
 *
 * This includes statuses 300 to 399: redirects are not followed, since they could leak the
 * credentials. The message names the status, the code, up to three invalid fields with the rule
 * that each one breaks, and the request id. It shows only values that cannot be personal, and no
 * other text of the service.
 */
export class HttpError<
  Status extends number = number,
  Code extends string = KnownCode,
> extends PaymentsError {
  declare readonly kind: 'http'
  /** The HTTP status; 0 for a redirect in a browser, which hides it. */
  declare readonly status: Status
  /** The `retry-after` header in milliseconds (RFC 9110, section 10.2.3). */
  declare readonly retryAfter: number | undefined
  readonly #result: ReadResponse

  constructor(request: SentRequest, result: ReadResponse, now: number) {
    const { status, headers } = result.response
    const { code } = (result.data ?? {}) as Partial<Problem>
    const reason = `${status}${/^\w{1,64}$/.test(code ?? '') ? ` ${code}` : ''}`
    const verb = isRefused(result) ? 'was refused' : 'failed'
    super('http', `${verb} (${reason})${refusalOf(request, result)}${requestNote(result)}`, request)
    this.status = status as Status
    this.retryAfter = waitOf(`${headers.get('retry-after')}`, now)
    this.#result = result
  }

  /** The response as `fetch` returned it; its body is already read. */
  get response(): Response {
    return this.#result.response
  }

  /** The parsed JSON body; `undefined` if the body is not JSON. */
  get body(): unknown {
    return this.#result.data
  }

  /** The body, if it is problem details (RFC 9457; assumption `errors`). */
  get problem(): ProblemWith<Code> | undefined {
    return isProblem(this.#result) ? (this.body as ProblemWith<Code>) : undefined
  }

  /**
   * Identifies the request to the service: the `x-request-id` header, else `request_id` of the
   * problem.
   */
  get requestId(): string | undefined {
    return requestIdOf(this.#result)
  }
}

/** The codes of the contract. */
type KnownCode = Problem['code']

/** Problem details with one of these codes, or with a code that the contract does not declare. */
export interface ProblemWith<Code extends string> extends Omit<Problem, 'code'> {
  code: Code | (string & {})
}

/**
 * Problem details have their media type (RFC 9457, section 3) or repeat the HTTP status (section
 * 3.1.2).
 */
function isProblem(result: ReadResponse): boolean {
  const { data, response } = result
  return isObject(data) && (isNamedProblem(result) || (data as Problem).status === response.status)
}

/**
 * Is it certain that the request was not carried out?
 *
 * - Yes after a 401 (RFC 9110, section 15.5.2), and after another 4xx with problem details
 *   (assumption `effects`).
 * - No after a 421: `fetch` may have sent the request twice (Fetch Standard).
 * - No after a 408 or 429 without the media type of problem details: a gateway may have sent it.
 * - No if the problem details state another status.
 */
export function isRefused(result: ReadResponse): boolean {
  const { status } = result.response
  if (status === 401) return true
  if (!/^4(?!21)..$/.test(`${status}`) || !isProblem(result)) return false
  const { status: stated = status } = Object(result.data)
  return stated === status && (isNamedProblem(result) || !/408|429/.test(`${status}`))
}

/** Whether the media type is that of problem details. */
export function isNamedProblem({ response: { headers } }: ReadResponse): boolean {
  return /^application\/problem\+json\s*(;|$)/i.test(`${headers.get('content-type')}`)
}

/** Whether the value is a JSON object. */
export function isObject(data: unknown): data is object {
  return tagOf(data) === 'Object'
}

/** `Object`, `Array`, `Null`, `String`, … */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

/** Parses `retry-after`: seconds or a date. */
function waitOf(value: string, now: number): number | undefined {
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return wait >= 0 ? wait : undefined
}

/**
 * There was no complete response: the host was not found, or the connection was refused or broke.
 */
export class ConnectionError extends PaymentsError {
  declare readonly kind: 'connection'
  /** False if no connection was made, so the request was certainly not sent. */
  declare readonly sent: boolean

  constructor(operation: Operation, cause: unknown, hasResponse: boolean) {
    const { code, cause: inner } = Object(cause)
    const why = String(code ?? inner?.code ?? '')
    super(
      'connection',
      `no complete response${/^\w+$/.test(why) ? ` (${why})` : ''}`,
      operation,
      cause,
    )
    this.sent = hasResponse || !NO_CONNECTION.test(why)
  }
}

/**
 * Error codes of a failed connection attempt, never of an established connection: Node (libuv,
 * undici), then Bun.
 */
const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/

/** An attempt or the whole call timed out. */
export class TimeoutError extends PaymentsError {
  declare readonly kind: 'timeout'
  constructor(operation: Operation, ms: number) {
    super('timeout', `no complete response within ${ms} ms`, operation)
  }
}

/** The caller aborted the call; `cause` is the reason of the signal. */
export class AbortedError extends PaymentsError {
  declare readonly kind: 'aborted'
  constructor(operation: Operation, cause: unknown) {
    super('aborted', 'aborted by the caller', operation, cause)
  }
}

/** The service returned a success whose body does not match the contract. */
export class DecodeError extends PaymentsError {
  declare readonly kind: 'decode'
  /**
   * The issues that `validation` found (mode `enforce`); absent if the body could not be parsed.
   */
  declare readonly issues: readonly Issue[] | undefined

  constructor(operation: Named, message: string, cause?: unknown, issues?: readonly Issue[]) {
    super('decode', message, operation, cause)
    this.issues = issues
  }
}

/** A difference between a response and the contract. */
export interface Issue {
  /**
   * JSON pointer into the response body (RFC 6901); empty for the whole body and for the status.
   */
  readonly pointer: string
  /** What was expected and what type was received; never the value, which may be personal. */
  readonly message: string
  /**
   * The open question whose assumption the response differs from: a deviation, not a failure of the
   * service. Absent if the response contradicts the service's own document.
   */
  readonly question?: string
}

/** The request whose outcome is unknown, for reconciliation. */
export interface UnknownRequest extends Pick<SentRequest, 'method' | 'url'> {
  /**
   * The body as it was sent: amount, `initiation_id` or `emv`, `tx_id`. Not the object of the
   * caller.
   */
  readonly input: unknown
  /** The start of the attempt. */
  readonly sentAt: Date
  /** As in `HttpError`; absent without a response. */
  readonly requestId: string | undefined
}

/**
 * A request that must not be sent twice may have been carried out: it was sent, and nothing proves
 * that it was refused. Check before you retry. `cause` is the error that occurred.
 *
 * @example
 * const result = await payee.pay({ amount: '10.50' }).result()
 * if (!result.ok && result.kind === 'outcome_unknown') await ask(result.error.request.input)
 */
export class OutcomeUnknownError extends PaymentsError {
  declare readonly kind: 'outcome_unknown'
  declare readonly cause: PaymentsError
  readonly #request: UnknownRequest

  constructor(request: SentRequest, sentAt: Date, cause: PaymentsError, result?: ReadResponse) {
    const message = `may have been carried out, check before you retry: ${cause.message}`
    super('outcome_unknown', message, request, cause)
    const { method, url, input } = request
    this.#request = { method, url, input, sentAt, requestId: result && requestIdOf(result) }
  }

  /**
   * The request, for reconciliation. Not printed with the error, since it contains personal data.
   */
  get request(): UnknownRequest {
    return this.#request
  }
}

/**
 * The package was used incorrectly, and nothing was sent; or a middleware of openapi-fetch failed.
 * If the operation is safe to repeat, the middleware may have failed after the response.
 */
export class ConfigError extends PaymentsError {
  declare readonly kind: 'config'
  constructor(message: string, operation?: Operation, cause?: unknown) {
    super('config', message, operation, cause)
  }
}

/** The error itself if it is typed, else a `ConfigError` with it as the cause. */
export function typed(thrown: unknown, message: string, operation?: Operation): PaymentsError {
  return thrown instanceof PaymentsError ? thrown : new ConfigError(message, operation, thrown)
}

/** Formats a value for an error message. */
export function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

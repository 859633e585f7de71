import {
  baseUrlNote,
  connectionMessage,
  errorName,
  hideBytes,
  parseRetryAfter,
  writeMessage,
} from './error-details.ts'
import type { Problem } from './generated/contract.ts'
import type { Bytes, Named, ReadResponse, SentRequest } from './operation.ts'
import { isProblem, isRefused, provesUnpaid, provesUnsent } from './proof.ts'
import { readText, tagOf } from './property.ts'
import { describeFieldErrors, readCode, readRequestId, requestNote, safeId } from './refusal.ts'

/** The kind of an error, for a `switch`. */
export type ErrorKind =
  | 'http'
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'decode'
  | 'outcome_unknown'
  | 'config'

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
    super(writeMessage(kind, message, operation), cause === undefined ? undefined : { cause })
    this.kind = kind
    this.operationId = operation?.operationId
    this.name = errorName(kind)
  }

  /** What a log needs, without personal data. `JSON.stringify` and loggers call it. */
  toJSON(): ErrorJson {
    const { name, kind, message, operationId } = this
    return operationId === undefined
      ? { name, kind, message }
      : { name, kind, message, operationId }
  }
}

/** An error as JSON, for a log. */
export interface ErrorJson {
  readonly name: string
  readonly kind: ErrorKind
  readonly message: string
  readonly operationId?: string
  /** The HTTP status, of an `HttpError`. */
  readonly status?: number
  /** The `code` of problem details, of an `HttpError`. */
  readonly code?: string | undefined
  /** By which the service finds the request. */
  readonly requestId?: string | undefined
  /** Whether the request may have been sent, of a `ConnectionError`. */
  readonly sent?: boolean
  /** RFC 3339: the start of the attempt, of an `OutcomeUnknownError`. */
  readonly sentAt?: string
  /** Why the outcome is unknown, of an `OutcomeUnknownError`. */
  readonly cause?: ErrorJson
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
  /**
   * Whether the response proves that nothing was paid: neither by this request, nor by an earlier
   * copy of it. False for a 409, and for every other refusal that a service may send because the
   * `initiation_id` or the code was used before. Treat an order as unknown if it is false.
   */
  declare readonly provesUnpaid: boolean
  /** Whether the response shows that the service did nothing with this request. */
  declare readonly isRefusal: boolean
  readonly #result: ReadResponse

  /**
   * @param result the response with its body
   * @param now when it arrived, from which a date in `retry-after` is counted
   * @param isRefusalByOption whether the caller's option `isRefusal` calls it a refusal
   */
  constructor(request: SentRequest, result: ReadResponse, now: number, isRefusalByOption = false) {
    const { status, headers } = result.response
    const isRefusal = isRefusalByOption || isRefused(result)
    super('http', describeErrorResponse(request, result, isRefusal), request)
    this.status = status as Status
    this.isRefusal = isRefusal
    this.retryAfter = parseRetryAfter(headers.get('retry-after'), now)
    this.provesUnpaid = isRefusalByOption || provesUnpaid(request, result)
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

  /** The body as it was received. */
  get text(): string {
    return this.#result.text
  }

  /** The bytes of the body; absent where the runtime has no stream of it, as in React Native. */
  get bytes(): Bytes | undefined {
    return this.#result.bytes
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
    return readRequestId(this.#result)
  }

  /** What a log needs, with the status and the error code of the response. */
  override toJSON(): ErrorJson {
    return {
      ...super.toJSON(),
      status: this.status,
      code: readCode(this.body),
      requestId: safeId(this.requestId),
    }
  }
}

/** Such as `was refused (400 invalid_request): /amount must match …, got "1.5" (request req_1)`. */
function describeErrorResponse(
  request: SentRequest,
  result: ReadResponse,
  isRefusal: boolean,
): string {
  const { status } = result.response
  const code = readCode(result.data)
  const reason = code ? `${status} ${code}` : `${status}`
  const verb = isRefusal ? 'was refused' : 'failed'
  const details = describeFieldErrors(request, result)
  return `${verb} (${reason})${details}${baseUrlNote(result)}${requestNote(result)}`
}

/** The codes of the contract. */
type KnownCode = Problem['code']

/** Problem details with one of these codes, or with a code that the contract does not declare. */
export interface ProblemWith<Code extends string> extends Omit<Problem, 'code'> {
  code: Code | (string & {})
}

/**
 * There was no complete response: the host was not found, or the connection was refused or broke.
 */
export class ConnectionError extends PaymentsError {
  declare readonly kind: 'connection'
  /** False if no connection was made, so the request was certainly not sent. */
  declare readonly sent: boolean
  /**
   * That of an error of Next.js, by which Next.js knows that a page cannot be rendered ahead: the
   * request is then sent when somebody opens the page.
   */
  declare readonly digest?: string

  constructor(operation: Named, cause: unknown, hasResponse: boolean) {
    super('connection', connectionMessage(cause), operation, hideBytes(cause))
    this.sent = hasResponse || !provesUnsent(cause)

    const digest = readText(cause, 'digest')
    if (digest) this.digest = digest
  }

  override toJSON(): ErrorJson {
    return { ...super.toJSON(), sent: this.sent }
  }
}

/** An attempt or the whole call timed out. */
export class TimeoutError extends PaymentsError {
  declare readonly kind: 'timeout'
  constructor(operation: Named, ms: number) {
    super('timeout', `no complete response within ${ms} ms`, operation)
  }
}

/** The caller aborted the call; `cause` is the reason of the signal. */
export class AbortedError extends PaymentsError {
  declare readonly kind: 'aborted'
  constructor(operation: Named, cause: unknown) {
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
  readonly #body: unknown

  constructor(operation: Named, message: string, { cause, issues, body }: DecodeDetails = {}) {
    super('decode', message, operation, cause)
    this.issues = issues
    this.#body = body
  }

  /**
   * The parsed JSON body; `undefined` if it could not be parsed. Not printed with the error, since
   * it contains personal data.
   */
  get body(): unknown {
    return this.#body
  }
}

interface DecodeDetails {
  readonly cause?: unknown
  readonly issues?: readonly Issue[]
  readonly body?: unknown
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
  /** What the check showed that `pay` paid, for `match`; absent for `transfers.create`. */
  readonly check?: object
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

  /**
   * @param cause the error for which the outcome is unknown
   * @param result the response, if one arrived
   */
  constructor(request: SentRequest, sentAt: Date, cause: PaymentsError, result?: ReadResponse) {
    const message = `may have been carried out, check before you retry: ${cause.message}`
    super('outcome_unknown', message, request, cause)
    this.#request = {
      method: request.method,
      url: request.url,
      input: request.input,
      sentAt,
      requestId: result ? readRequestId(result) : undefined,
    }
  }

  /**
   * The request, for reconciliation. Not printed with the error, since it contains personal data.
   */
  get request(): UnknownRequest {
    return this.#request
  }

  /** What a log needs: when the request was sent, and why its outcome is unknown (`cause`). */
  override toJSON(): ErrorJson {
    const { sentAt, requestId } = this.#request
    return {
      ...super.toJSON(),
      requestId: safeId(requestId),
      sentAt: sentAt.toISOString(),
      cause: this.cause.toJSON(),
    }
  }
}

/**
 * The package was used incorrectly, and nothing was sent; or a middleware of openapi-fetch failed.
 * If the operation is safe to repeat, the middleware may have failed after the response.
 */
export class ConfigError extends PaymentsError {
  declare readonly kind: 'config'
  constructor(message: string, operation?: Named, cause?: unknown) {
    super('config', message, operation, cause)
  }
}

/** The error itself if it is typed, else a `ConfigError` with it as the cause. */
export function toTypedError(thrown: unknown, message: string, operation?: Named): PaymentsError {
  if (thrown instanceof PaymentsError) return thrown
  return new ConfigError(message, operation, thrown)
}

/** Formats a value for an error message; an object by its type, since it may have any content. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'object' && value !== null) return tagOf(value)
  return String(value)
}

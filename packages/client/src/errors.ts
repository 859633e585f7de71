import type { Problem } from './generated/contract.ts'
import type { Attempt, Issue, Reply } from './middleware.ts'
import type { Operation } from './operation.ts'

/** What went wrong, for a `switch`. */
export type ErrorKind =
  | 'http'
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'decode'
  | 'outcome_unknown'
  | 'config'

/**
 * The root of every error of this package; `kind` tells which.
 *
 * @example
 * try {
 *   await payments.users.get(user_id)
 * } catch (error) {
 *   if (error instanceof PaymentsError && error.kind === 'timeout') console.log(error.operationId)
 * }
 */
export abstract class PaymentsError extends Error {
  /** Tells the errors apart. */
  readonly kind: ErrorKind
  /** The operation of the contract that was called; absent where none was. */
  readonly operationId: string | undefined

  constructor(kind: ErrorKind, message: string, operation?: Operation, cause?: unknown) {
    super(
      operation ? `${operation.operationId}: ${message}` : message,
      cause === undefined ? undefined : { cause },
    )
    this.kind = kind
    this.operationId = operation?.operationId
    // Spelled from the kind: a minifier would shorten the names of the classes.
    this.name = `${kind.replace(/(^|_)./g, (start) => start.slice(-1).toUpperCase())}Error`
  }
}

/**
 * The service answered, and not with success.
 *
 * Statuses 300 to 399 are among them: redirects are not followed, since they would carry the credentials along.
 */
export class HttpError<Status extends number = number> extends PaymentsError {
  declare readonly kind: 'http'
  /** The status of the answer; 0 for a redirect in a browser, which hides it. */
  readonly status: Status
  /** The body of the answer if it is a JSON object: problem details (RFC 9457), our answer to the open question `errors`. */
  readonly problem: Problem | undefined
  /** The answer as `fetch` gave it; its body is used up. */
  readonly response: Response
  /** What names the answer in questions to the service: the header x-request-id, else `request_id` of the problem. */
  readonly requestId: string | undefined
  /** Milliseconds that the header retry-after asks to wait (RFC 9110, section 10.2.3). */
  readonly retryAfter: number | undefined

  constructor(operation: Operation, { response, data }: Reply, now: number) {
    const problem = typeof data === 'object' && data ? (data as Problem) : undefined
    const { status, headers } = response
    super('http', `answered ${status} ${problem?.code ?? ''}`.trimEnd(), operation)
    this.status = status as Status
    this.response = response
    this.problem = problem
    this.requestId = headers.get('x-request-id') ?? problem?.request_id
    this.retryAfter = waitOf(headers.get('retry-after'), now)
  }
}

/** Seconds, or a date. */
function waitOf(value: string | null, now: number): number | undefined {
  if (!value) return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return wait >= 0 ? wait : undefined
}

/** No answer came: the name was not found, the connection was refused, or it broke. */
export class ConnectionError extends PaymentsError {
  declare readonly kind: 'connection'
  /** False where the request surely did not leave: no connection was made. */
  readonly sent: boolean

  constructor(operation: Operation, cause: unknown) {
    super('connection', 'no answer came', operation, cause)
    this.sent = !NO_CONNECTION.has(codeOf(cause) ?? codeOf((cause as Error | undefined)?.cause) ?? '')
  }
}

/** These end an attempt to connect, never a connection that was made: Node (libuv, undici), then Bun. */
const NO_CONNECTION = /* @__PURE__ */ new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
])

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | undefined)?.code
}

/** An attempt, or the whole call, took longer than it was allowed to. */
export class TimeoutError extends PaymentsError {
  declare readonly kind: 'timeout'
  constructor(operation: Operation, ms: number) {
    super('timeout', `no whole answer within ${ms} ms`, operation)
  }
}

/** The caller's signal was aborted; its reason is the `cause`. */
export class AbortedError extends PaymentsError {
  declare readonly kind: 'aborted'
  constructor(operation: Operation, cause: unknown) {
    super('aborted', 'aborted by the caller', operation, cause)
  }
}

/** The service answered with success, and with a body that is not what the contract says. */
export class DecodeError extends PaymentsError {
  declare readonly kind: 'decode'
  /** What a validation found (mode `enforce`); absent where the answer could not be read in the first place. */
  readonly issues: readonly Issue[] | undefined

  constructor(operation: Operation, message: string, cause?: unknown, issues?: readonly Issue[]) {
    super('decode', message, operation, cause)
    this.issues = issues
  }
}

/** What to ask the service about. */
export interface UnknownRequest {
  readonly method: string
  readonly url: string
  /** The input as it was given: amount, `initiation_id` or `emv`, `tx_id`. */
  readonly input: unknown
  /** When the attempt began whose outcome is unknown. */
  readonly sentAt: Date
}

/**
 * A request that must not be sent twice left, and nothing proves that it was refused: it may have been carried out.
 * Do not repeat it; find out. `cause` is what happened instead of an answer.
 *
 * @example
 * const result = await payee.pay({ amount: '10.50' }).result()
 * if (!result.ok && result.kind === 'outcome_unknown') await ask(result.error.request.input)
 */
export class OutcomeUnknownError extends PaymentsError {
  declare readonly kind: 'outcome_unknown'
  declare readonly cause: PaymentsError
  readonly #request: UnknownRequest

  constructor(request: Omit<Attempt, 'signal'>, sentAt: Date, cause: PaymentsError) {
    super('outcome_unknown', 'may have been carried out', request, cause)
    const { method, url, input } = request
    this.#request = { method, url, input, sentAt }
  }

  /** What is needed to reconcile. Not printed with the error, since it holds personal data. */
  get request(): UnknownRequest {
    return this.#request
  }
}

/** The package was used in a way that cannot work; nothing was sent. */
export class ConfigError extends PaymentsError {
  declare readonly kind: 'config'
  constructor(message: string, operation?: Operation, cause?: unknown) {
    super('config', message, operation, cause)
  }
}

/** A value as an error shows it. */
export function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

import type { Problem } from './generated/contract.ts'
import type { Attempt, Issue, Reply } from './middleware.ts'
import type { Operation } from './operation.ts'
import { refusalOf, requestIdOf, requestNote } from './refusal.ts'

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
  declare readonly kind: ErrorKind
  /** The operation of the contract that was called; absent where none was. */
  declare readonly operationId: string | undefined

  constructor(kind: ErrorKind, message: string, operation?: Operation, cause?: unknown) {
    super(
      // What an HTTP error says goes on from the operation: "createTransfer was refused (…)".
      operation ? `${operation.operationId}${kind === 'http' ? '' : ':'} ${message}` : message,
      cause === undefined ? undefined : { cause },
    )
    this.kind = kind
    this.operationId = operation?.operationId
    // Spelled from the kind: a minifier would shorten the names of the classes.
    this.name = `${kind.replace(/(^|_)./g, (start) => start.slice(-1).toUpperCase())}Error`
  }
}

/**
 * The service responded, and not with success.
 *
 * Statuses 300 to 399 are among them: redirects are not followed, since they would carry the credentials along.
 * The message names the status, the code, up to three places of the request with the rule that each breaks, and the
 * request id. Values are in it where they cannot be personal, and nothing else of what the service said.
 */
export class HttpError<
  Status extends number = number,
  Code extends string = KnownCode,
> extends PaymentsError {
  declare readonly kind: 'http'
  /** The status of the answer; 0 for a redirect in a browser, which hides it. */
  declare readonly status: Status
  /** Milliseconds that the header retry-after asks to wait (RFC 9110, section 10.2.3). */
  declare readonly retryAfter: number | undefined
  readonly #reply: Reply

  constructor(operation: Operation, reply: Reply, now: number) {
    const { status, headers } = reply.response
    const { code } = (reply.data ?? {}) as Partial<Problem>
    const reason = `${status}${/^\w{1,64}$/.test(code ?? '') ? ` ${code}` : ''}`
    const isRefusal = status === 401 || (status > 399 && status < 500 && isProblem(reply))
    const verb = isRefusal ? 'was refused' : 'failed'
    super('http', `${verb} (${reason})${refusalOf(operation, reply)}${requestNote(reply)}`, operation)
    this.status = status as Status
    this.retryAfter = waitOf(headers.get('retry-after'), now)
    this.#reply = reply
  }

  /** The answer as `fetch` gave it; its body is used up. */
  get response(): Response {
    return this.#reply.response
  }

  /** The JSON of the body, whatever it is; `undefined` where there is none. */
  get body(): unknown {
    return this.#reply.data
  }

  /** The body where it is problem details (RFC 9457): an assumption about the open question `errors`. */
  get problem(): ProblemWith<Code> | undefined {
    return isProblem(this.#reply) ? (this.body as ProblemWith<Code>) : undefined
  }

  /** What names the answer in questions to the service: the header x-request-id, else `request_id` of the problem. */
  get requestId(): string | undefined {
    return requestIdOf(this.#reply)
  }
}

/** The codes of the contract. */
type KnownCode = Problem['code']

/** Problem details with one of these codes, or one that the contract does not know. */
export interface ProblemWith<Code extends string> extends Omit<Problem, 'code'> {
  code: Code | (string & {})
}

/** Problem details say so (RFC 9457, section 3), or repeat the status of the answer (section 3.1.2). */
export function isProblem(reply: Reply): boolean {
  const { data, response } = reply
  return isObject(data) && (isNamedProblem(reply) || (data as Problem).status === response.status)
}

/** Does the media type say that the body is problem details? */
export function isNamedProblem({ response: { headers } }: Reply): boolean {
  return /^application\/problem\+json\s*(;|$)/i.test(`${headers.get('content-type')}`)
}

/** Is it a JSON object? */
export function isObject(data: unknown): data is object {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** Seconds, or a date. */
function waitOf(value: string | null, now: number): number | undefined {
  const wait = /^\d+$/.test(value ?? '') ? Number(value) * 1000 : Date.parse(value ?? '') - now
  return wait >= 0 ? wait : undefined
}

/** No whole answer came: the name was not found, the connection was refused, or it broke. */
export class ConnectionError extends PaymentsError {
  declare readonly kind: 'connection'
  /** False where the request surely did not leave: no connection was made. */
  declare readonly sent: boolean

  constructor(operation: Operation, cause: unknown, answered: boolean) {
    const { code, cause: inner } = (cause ?? {}) as Coded
    const why = String(code ?? inner?.code ?? '')
    super('connection', `no complete response${/^\w+$/.test(why) ? ` (${why})` : ''}`, operation, cause)
    this.sent = answered || !NO_CONNECTION.test(why)
  }
}

interface Coded {
  readonly code?: unknown
  readonly cause?: Coded
}

/** These end an attempt to connect, never a connection that was made: Node (libuv, undici), then Bun. */
const NO_CONNECTION = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/

/** An attempt, or the whole call, took longer than it was allowed to. */
export class TimeoutError extends PaymentsError {
  declare readonly kind: 'timeout'
  constructor(operation: Operation, ms: number) {
    super('timeout', `no complete response within ${ms} ms`, operation)
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
  declare readonly issues: readonly Issue[] | undefined

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
  /** The header x-request-id of the answer, where there was one. */
  readonly requestId: string | undefined
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

  constructor(request: Omit<Attempt, 'signal'>, sentAt: Date, cause: PaymentsError, reply?: Reply) {
    super(
      'outcome_unknown',
      `may have been carried out, check before you retry: ${cause.message}`,
      request,
      cause,
    )
    const { method, url, input } = request
    const requestId = reply?.response.headers.get('x-request-id') ?? undefined
    this.#request = { method, url, input, sentAt, requestId }
  }

  /** What is needed to reconcile. Not printed with the error, since it holds personal data. */
  get request(): UnknownRequest {
    return this.#request
  }
}

/**
 * The package was used in a way that cannot work, and nothing was sent; or a middleware failed, which may have been
 * after the answer where the operation may be sent again.
 */
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

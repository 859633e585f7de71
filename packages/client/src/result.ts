import type {
  AbortedError,
  ConfigError,
  ConnectionError,
  DecodeError,
  HttpError,
  OutcomeUnknownError,
  TimeoutError,
} from './errors.ts'
import { ConfigError as Config, type HttpError as Http, PaymentsError } from './errors.ts'
import type { Issue, Reply } from './middleware.ts'
import type { Operation } from './operation.ts'

/** Error codes by status, as the contract declares them for an operation. */
export type DeclaredErrors = { readonly [status: number]: string }

/** What a call gives: awaited, the data or an error that is thrown; `result()`, either of them as a value. */
export interface Call<Data, Status extends number, Errors extends DeclaredErrors, Unknown = never>
  extends Promise<Data> {
  /**
   * Never rejects. Narrow by `ok`, `status` or `kind`. Ask for it at once: a call that fails before anyone listens is
   * a rejection that nobody handles, as with every promise.
   *
   * @example
   * const result = await payments.users.get(user_id).result()
   * if (result.ok) console.log(result.data.customers)
   * else if (result.status === 404) console.log('no such user')
   */
  result(): Promise<Success<Data, Status> | Failure<Errors> | Unknown>
}

/** A call of effect `once`: its outcome may remain unknown. */
export type OnceCall<Data, Status extends number, Errors extends DeclaredErrors> = Call<
  Data,
  Status,
  Errors,
  UnknownOutcome
>

/** A call that gives a page, and all records of this page and the following ones where it is iterated. */
export interface List<Page extends { data: unknown[] }, Status extends number, Errors extends DeclaredErrors>
  extends Call<Page, Status, Errors>,
    AsyncIterable<Page['data'][number]> {}

/** The service did it. */
export interface Success<Data, Status extends number> {
  readonly ok: true
  readonly kind: 'ok'
  readonly status: Status
  readonly data: Data
  readonly headers: Headers
  /** The header x-request-id: an assumption about the open question `errors`. */
  readonly requestId: string | undefined
  /** What a validation of the answer found; absent without one. */
  readonly issues: readonly Issue[] | undefined
}

/**
 * The statuses that the contract does not declare for an operation, and that a gateway or the service may answer all
 * the same: those that are registered (RFC 9110, section 15), and 0 for a redirect, which a browser hides. Literals,
 * so that a result narrows by `status`.
 */
export type Undeclared<Declared extends number> = Exclude<
  | (0 | 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308)
  | (
      | 400
      | 401
      | 402
      | 403
      | 404
      | 405
      | 406
      | 407
      | 408
      | 409
      | 410
      | 411
      | 412
      | 413
      | 414
      | 415
      | 416
      | 417
    )
  | (421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451)
  | (500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 511),
  Declared
>

/**
 * It did not happen, as far as can be known; a request of effect `once` was surely not carried out. An `HttpError`
 * without a `status` is that of a sign-in or an impersonation, which `operationId` of the error names.
 */
export type Failure<Errors extends DeclaredErrors> =
  | Refusal<Errors>
  | UndeclaredRefusal<Undeclared<keyof Errors & number>>
  | Failed<HttpError>
  | Failed<ConnectionError>
  | Failed<TimeoutError>
  | Failed<AbortedError>
  | Failed<DecodeError>
  | Failed<ConfigError>

interface UndeclaredRefusal<Status extends number> {
  readonly ok: false
  readonly kind: 'http'
  readonly status: Status
  readonly error: HttpError<Status>
}

/** An error response, one alternative per status; `error.problem.code` is one of the codes declared for it. */
export type Refusal<Errors extends DeclaredErrors> = {
  [Status in keyof Errors & number]: {
    readonly ok: false
    readonly kind: 'http'
    readonly status: Status
    readonly error: HttpError<Status, Errors[Status]>
  }
}[keyof Errors & number]

interface Failed<E extends PaymentsError> {
  readonly ok: false
  readonly kind: E['kind']
  readonly status: undefined
  readonly error: E
}

/** It may have been carried out. Find out; do not send it again. */
export type UnknownOutcome = Failed<OutcomeUnknownError>

/** Data and errors of a reply, both ways. */
export function callOf(
  operation: Operation,
  reply: Promise<Reply>,
  read: (data: unknown) => unknown = (data) => data,
): Call<unknown, number, DeclaredErrors> {
  const given = reply.then((it) => ({ ...it, data: read(it.data) }))
  const data = given.then((it) => it.data)
  const result = () => {
    // Whoever asks for the result has seen to the error.
    data.catch(() => {})
    return given.then(success, (error) => failure(operation, error))
  }
  return Object.assign(data, { result }) as Call<unknown, number, DeclaredErrors>
}

function success({ response: { status, headers }, data, issues }: Reply) {
  const requestId = headers.get('x-request-id') ?? undefined
  return { ok: true, kind: 'ok', status, data, headers, requestId, issues }
}

function failure({ operationId }: Operation, thrown: unknown) {
  const error =
    thrown instanceof PaymentsError ? thrown : new Config('a bug in this package', undefined, thrown)
  const status = error.operationId === operationId ? (error as Http).status : undefined
  return { ok: false, kind: error.kind, status, error }
}

import {
  type AbortedError,
  type ConfigError,
  type ConnectionError,
  type DecodeError,
  type HttpError,
  type OutcomeUnknownError,
  type PaymentsError,
  type TimeoutError,
  toTypedError,
} from './errors.ts'
import type { Operation, ReadResponse } from './operation.ts'

/** Error codes by status, as the contract declares them for an operation. */
export type DeclaredErrors = { readonly [status: number]: string }

/** Awaited, a call returns its data or throws. `result()` returns either of them as a value. */
export interface Call<Data, Status extends number, Errors extends DeclaredErrors, Unknown = never>
  extends Promise<Data> {
  /**
   * Never rejects. Narrow by `ok`, `status` or `kind`. Call it at once: like every promise, a call
   * that fails without a handler is an unhandled rejection.
   *
   * @example
   * const result = await payments.users.get(user_id).result()
   * if (result.ok) console.log(result.data.customers)
   * else if (result.status === 404) console.log('no such user')
   */
  result(): Promise<Success<Data, Status> | Failure<Errors> | Unknown>
}

/** A call of effect `once`, whose outcome may remain unknown. */
export type OnceCall<Data, Status extends number, Errors extends DeclaredErrors> = Call<
  Data,
  Status,
  Errors,
  UnknownOutcome
>

/**
 * Awaited, a list returns one page. Iterated, it returns the records of this page and all following
 * pages.
 */
export interface List<
  Page extends { data: unknown[] },
  Status extends number,
  Errors extends DeclaredErrors,
> extends Call<Page, Status, Errors>,
    AsyncIterable<Page['data'][number]> {}

/** The service carried out the request. */
export interface Success<Data, Status extends number> {
  readonly ok: true
  readonly kind: 'ok'
  readonly status: Status
  readonly data: Data
  readonly headers: Headers
  /** The header x-request-id: an assumption about the open question `errors`. */
  readonly requestId: string | undefined
}

/**
 * Registered statuses (RFC 9110, section 15) that the contract does not declare for an operation,
 * but that a gateway or the service may still return. 0 is a redirect in a browser, which hides its
 * status. Literals, so that a result narrows by `status`.
 */
export type Undeclared<Declared extends number> = Exclude<
  | (0 | 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308)
  | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408)
  | (409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417)
  | (421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451)
  | (500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 511),
  Declared
>

/**
 * The call failed; a request of effect `once` was certainly not carried out. If `kind` is `http`
 * and `status` is absent, a sign-in or an impersonation failed: `operationId` of the error names
 * it.
 */
export type Failure<Errors extends DeclaredErrors> =
  | Refusal<Errors>
  | Failed<HttpError<Undeclared<keyof Errors & number>>, Undeclared<keyof Errors & number>>
  | Failed<HttpError>
  | Failed<ConnectionError>
  | Failed<TimeoutError>
  | Failed<AbortedError>
  | Failed<DecodeError>
  | Failed<ConfigError>

/**
 * An error response, one alternative per status; `error.problem.code` is one of the codes declared
 * for it.
 */
export type Refusal<Errors extends DeclaredErrors> = {
  [Status in keyof Errors & number]: Failed<HttpError<Status, Errors[Status]>, Status>
}[keyof Errors & number]

interface Failed<E extends PaymentsError, Status = undefined> {
  readonly ok: false
  readonly kind: E['kind']
  readonly status: Status
  readonly error: E
}

/** The request may have been carried out. Check before you retry. */
export type UnknownOutcome = Failed<OutcomeUnknownError>

/**
 * Returns the promise of a call, with a method `result()` that resolves in each case: with the
 * data, or with the error as a value.
 */
export function createCall(operation: Operation, attempt: Promise<ReadResponse>) {
  const data = attempt.then((read) => read.data)
  const result = () => {
    // The caller gets the error in the result, so it is handled.
    data.catch(() => {})
    return attempt.then(createSuccess, (error) => createFailure(operation, error))
  }
  return Object.assign(data, { result }) as Call<unknown, number, DeclaredErrors>
}

/** The value of `result()` for a success. */
function createSuccess({ response, data }: ReadResponse) {
  const { status, headers } = response
  return {
    ok: true,
    kind: 'ok',
    status,
    data,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
  }
}

/**
 * The value of `result()` for an error, with its `status` if it is the error of a response to this
 * operation.
 */
function createFailure({ operationId }: Operation, thrown: unknown) {
  const error = toTypedError(thrown, 'a bug in this package')
  // The status of a sign-in is not one of this operation.
  const isOwn = error.operationId === operationId
  return {
    ok: false,
    kind: error.kind,
    status: isOwn ? (error as HttpError).status : undefined,
    error,
  }
}

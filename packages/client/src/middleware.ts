import type { Operation } from './operation.ts'

/** One attempt of an operation, before it leaves. */
export interface Attempt extends Operation {
  readonly url: string
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as the caller passed it. */
  readonly input: unknown
  /** The serialized body. */
  readonly body: string | undefined
  /** 1 for the first attempt, 2 for the next, whatever the reason for sending again. */
  readonly number: number
  /** Aborted on a timeout or by the caller. */
  readonly signal: AbortSignal
}

/** The response to an attempt, of any status, read completely. */
export interface AttemptResult {
  /** As `fetch` returned it; its body is already read. */
  readonly response: Response
  /** The parsed JSON body; `undefined` if the body is empty or not JSON. */
  readonly data: unknown
  /** Whether the body had no bytes. */
  readonly isEmpty?: boolean
  /** The issues that `validation` found. */
  readonly issues?: readonly Issue[]
}

/** A difference between a response and the contract. */
export interface Issue {
  /** JSON pointer into the response body (RFC 6901); empty for the whole body and for the status. */
  readonly pointer: string
  /** What was expected and what type was received; never the value, which may be personal. */
  readonly message: string
  /**
   * The open question whose assumption the response differs from: a deviation, not a failure of the service. Absent if
   * the response contradicts the service's own document.
   */
  readonly question?: string
}

/**
 * A layer around each attempt. It can read the attempt, pass a changed copy to `next`, return a result without calling
 * `next`, and read the result. An error that it throws ends the call. If a request of effect `once` was already sent,
 * the call rejects with an `OutcomeUnknownError`.
 *
 * @example
 * const traced: Middleware = (attempt, next) =>
 *   next({ ...attempt, headers: { ...attempt.headers, 'x-trace': crypto.randomUUID() } })
 */
export type Middleware = (
  attempt: Attempt,
  next: (attempt: Attempt) => Promise<AttemptResult>,
) => Promise<AttemptResult>

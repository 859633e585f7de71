import type { Operation } from './operation.ts'

/** One attempt of an operation, before it leaves. */
export interface Attempt extends Operation {
  readonly url: string
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** What was given as the body. */
  readonly input: unknown
  /** What is sent. */
  readonly body: string | undefined
  /** 1, then one more for each time it is sent again, whatever the reason. */
  readonly number: number
  /** Aborted when time is up or the caller gives up. */
  readonly signal: AbortSignal
}

/** The answer to an attempt, read to its end; of any status. */
export interface Reply {
  /** As `fetch` gave it; its body is used up. */
  readonly response: Response
  /** The JSON of the body; `undefined` where there is none or it is something else. */
  readonly data: unknown
  /** Had the body no bytes? */
  readonly isEmpty?: boolean
  /** What a validation found. */
  readonly issues?: readonly Issue[]
}

/** A place where an answer is not what the contract says. */
export interface Issue {
  /** JSON pointer into the answer's body (RFC 6901); empty for the whole of it, and for its status. */
  readonly pointer: string
  /** What was expected there, and what kind of value came in its place; never the value, which may be personal. */
  readonly message: string
  /**
   * The open question that the contract answers there: the service departs from an answer of ours, and is right.
   * Absent where it departs from what its own document says.
   */
  readonly question?: string
}

/**
 * A layer around each attempt: looks at it, changes it (with a copy), answers in its place, looks at the answer.
 * An error that it throws ends the call; of an operation of effect `once` that left, as an `OutcomeUnknownError`.
 *
 * @example
 * const traced: Middleware = (attempt, next) =>
 *   next({ ...attempt, headers: { ...attempt.headers, 'x-trace': crypto.randomUUID() } })
 */
export type Middleware = (attempt: Attempt, next: (attempt: Attempt) => Promise<Reply>) => Promise<Reply>

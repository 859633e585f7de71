import type { Clock } from './clock.ts'
import type { TokenSet } from './generated/contract.ts'
import type { Middleware } from './middleware.ts'

/** Where the tokens come from: a secret, or someone who has one. */
export type Auth = Secret | Supplier

/** Given by the service to the partner. Refused in a browser, where everyone could read it. */
export interface Secret {
  readonly clientKey: string
  readonly clientSecret: string
  readonly token?: never
}

/** An access token, alone or with its `expiration`, as sign-in and impersonation answer it. */
export type Token = string | Pick<TokenSet, 'access_token' | 'expiration'>

/** Someone who gives tokens, such as a back end of your own that signs in. */
export interface Supplier {
  /**
   * Called when a token is needed: at first, when its `expiration` is near, and when it was refused. What it gives is
   * used for every call, so make a client for each person who is signed in.
   */
  readonly token: () => Token | Promise<Token>
  readonly clientKey?: never
  readonly clientSecret?: never
}

/** What `createClient` and `createPayments` take. */
export interface ClientOptions {
  /** Where the service is: an absolute http or https URL, before the paths of the contract. */
  readonly baseUrl: string
  readonly auth: Auth
  /** Milliseconds a call may take, its retries and waits and the body of the answer included. Default: 60000. */
  readonly timeout?: number | undefined
  /** Milliseconds one attempt may take, the body included. Default: 20000. */
  readonly attemptTimeout?: number | undefined
  /** How often a request is sent again at most, where that is safe. Default: 2. A renewed token does not count. */
  readonly retries?: number | undefined
  /** Run around every attempt, the first one outermost. */
  readonly middleware?: readonly Middleware[] | undefined
  /**
   * Default: the global one, looked up at each attempt. It must send once. A request of effect `once` has a stream as its
   * body, which cannot be sent again; `String(init.body)` is its text.
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
  /** From 0 to below 1, for the jitter of the waits. Default: Math.random. */
  readonly random?: (() => number) | undefined
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call with an `AbortedError`, or an `OutcomeUnknownError` where it may have been carried out. */
  readonly signal?: AbortSignal | null | undefined
  /** Milliseconds this call may take, in place of the client's `timeout`. */
  readonly timeout?: number | undefined
  /** Sent beside the client's own, which win. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** For whom a call acts. */
export interface ActingFor {
  readonly customer_id: string
  readonly user_id: string
}

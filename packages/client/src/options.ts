import type { CallRecord } from './call-record.ts'
import type { Clock } from './clock.ts'
import type { ImpersonateRequest, TokenSet } from './generated/contract.ts'
import type { Described, SentRequest } from './operation.ts'

/**
 * The source of the tokens: the credentials of the partner, or a function that returns a token.
 *
 * @example
 * const onServer: Auth = { clientKey, clientSecret }
 * const inBrowser: Auth = { token: () => tokenFromOwnServer() }
 */
export type Auth = Secret | Supplier

/**
 * The credentials that the service gives to the partner. Refused in a browser and in React Native,
 * where everyone could read them.
 */
export interface Secret {
  /** The user name of the sign-in, which the service gives to the partner. Without a colon. */
  readonly clientKey: string
  /** The password of the sign-in. Read it from the environment; never put it into a page or an app. */
  readonly clientSecret: string
  readonly token?: never
  readonly scheme?: Scheme
}

/**
 * The word before the token in the header `authorization`. An empty string sends the token alone.
 * Default: `Bearer` (assumption `auth-scheme`).
 */
export type Scheme = string

/** An access token, alone or with its `expiration`, as sign-in and impersonation return it. */
export type Token = string | Pick<TokenSet, 'access_token' | 'expiration'>

/** Supplies tokens, for example from your own back end. */
export interface Supplier {
  /**
   * Called when a token is first needed, when its `expiration` is near, and when it was refused.
   * All calls share the token, so create one client for each signed-in person.
   *
   * A token that several processes share is read from their store, unless it is the refused one:
   *
   * @example
   * const token = async ({ refused }: TokenRequest) => {
   *   const stored = await store.read()
   *   return stored && stored !== refused ? stored : renew(refused)
   * }
   */
  readonly token: (request: TokenRequest) => Token | Promise<Token>
  readonly clientKey?: never
  readonly clientSecret?: never
  readonly scheme?: Scheme
}

/** Why a token is needed. */
export interface TokenRequest {
  /**
   * The access token that the service refused with 401. `undefined` for the first token, and before
   * the last one expires.
   */
  readonly refused: string | undefined
}

/** What an attempt is, for a `fetch` of your own. */
export type Attempt = Described & Pick<SentRequest, 'number'>

/**
 * Sends one attempt. The global `fetch` is one; it ignores the third argument.
 *
 * Called for each attempt, including sign-in. Pass `init` on as it is: `dispatcher`, `client` or
 * `keepalive` in it gives a payment, and what it is built on, a fresh connection (guide
 * "Connections, proxies and certificates"). Must send it once: a request of effect `once` has a
 * stream as its body, which cannot be sent again; `String(init.body)` returns its text. If it
 * throws after a payment may have been sent, the outcome is unknown. Catch the errors of requests
 * that you send after it: a refused connection of yours looks like one of the payment, which is
 * then sent again.
 *
 * @example
 * const counted: Fetch = async (url, init, { operationId, number }) => {
 *   const response = await fetch(url, init)
 *   console.log(operationId, number, response.status)
 *   return response
 * }
 */
export type Fetch = (url: string, init: RequestInit, attempt: Attempt) => Promise<Response>

/** Options of `createSafeFetch`, `createClient` and `createPayments`. */
export interface ClientOptions {
  /** An absolute http or https URL; the paths of the contract are appended. */
  readonly baseUrl: string
  /**
   * The credentials of the partner, or a function that returns a token: a browser or an app must
   * not have the credentials.
   */
  readonly auth: Auth
  /**
   * Headers of every request, also of the sign-in, such as one that your gateway needs. A call's own
   * take precedence. Default: `user-agent` alone, outside browsers. The client sets `authorization`,
   * `content-type` and what describes the connection itself.
   */
  readonly headers?: Headers | Readonly<Record<string, string>> | undefined
  /**
   * Called once for each call when it ends, also for a sign-in, with a record without personal data:
   * pass it to your log. Its errors are dropped. `logging` does the same for each attempt.
   */
  readonly onCall?: ((record: CallRecord) => unknown) | undefined
  /**
   * Timeout of a call in milliseconds, including retries, waits and the response body. Default:
   * 60000.
   */
  readonly timeout?: number | undefined
  /** Timeout of one attempt in milliseconds, including the response body. Default: 20000. */
  readonly attemptTimeout?: number | undefined
  /** Maximum number of retries, if a retry is safe. Default: 2. Renewing a token does not count. */
  readonly retries?: number | undefined
  /** Sends each attempt. Default: the global `fetch`, looked up at each attempt. */
  readonly fetch?: Fetch | undefined
  /**
   * Whether an error response (status 400 or more) shows that the service did nothing, for a
   * service whose refusals are no problem details. The body is the parsed JSON, or `undefined`.
   * Default: no response does.
   *
   * **A wrong `true` pays twice**: the call then ends as `http`, and a program pays again. Return
   * true only for a form that this service alone sends, never for a gateway's page, a 5xx that may
   * come from behind it, or a refusal because the `initiation_id` or the code was used before. An
   * error, or a promise, counts as false. Such a refusal of a payment is never retried.
   *
   * @example
   * const isRefusal = ({ status }: Response, body: unknown) =>
   *   status === 422 && (body as { erro?: string } | undefined)?.erro === 'saldo_insuficiente'
   */
  readonly isRefusal?: ((response: Response, body: unknown) => boolean) | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
  /** Returns a number from 0 to below 1, for the retry jitter. Default: Math.random. */
  readonly random?: (() => number) | undefined
}

/** Options of every call. */
export interface CallOptions {
  /**
   * Ends the call with an `AbortedError`, or an `OutcomeUnknownError` if it may have been carried
   * out.
   */
  readonly signal?: AbortSignal | null | undefined
  /** Timeout of this call in milliseconds; overrides the client's `timeout`. */
  readonly timeout?: number | undefined
  /** Additional headers. The client's own headers take precedence. */
  readonly headers?: Headers | Readonly<Record<string, string>> | undefined
}

/** The customer and user that a call acts for. */
export type ActingFor = Readonly<ImpersonateRequest>

import { requireAmounts } from './amounts.ts'
import { attemptOnce, type CheckedResponse } from './attempt.ts'
import { parseJson, requireObjectBody } from './body.ts'
import { type Ending, endingOfError, endingOfSuccess } from './call-record.ts'
import { runWithTimeout, sleep } from './clock.ts'
import { ConfigError, ConnectionError, HttpError, TimeoutError } from './errors.ts'
import { copyCallHeaders } from './headers.ts'
import {
  describeOperation,
  type Operation,
  type ReadResponse,
  type SentRequest,
} from './operation.ts'
import type { CallOptions } from './options.ts'
import { isRefused } from './proof.ts'
import { readProperty, tagOf } from './property.ts'
import { ignoreRecord, type Settings, validateOption } from './settings.ts'
import type { Tokens } from './tokens.ts'

/** One call of an operation, which may take several attempts. */
export interface OutgoingCall {
  readonly settings: Settings
  /** The tokens of the identity that calls. */
  readonly tokens: Tokens
  readonly operation: Operation
  /** The complete URL, with the path parameters and the query. */
  readonly url: string
  /** The value of the body; `undefined` without one. */
  readonly input?: unknown
  readonly options?: CallOptions | null | undefined
  /** Reads a body that is already serialized, instead of `input`. */
  readonly readText?: (() => Promise<string>) | undefined
}

/**
 * Sends a call, attempt after attempt, until a success, or until an error for which a retry is
 * useless or unsafe. Passes a record of the whole call to the option `onCall`.
 */
export async function send(call: OutgoingCall): Promise<CheckedResponse> {
  const { settings, operation } = call
  const { clock } = settings
  const progress = { attempts: 0 }
  const hasLog = settings.onCall !== ignoreRecord
  if (!hasLog) return sendAttempts(call, progress)

  const startedAt = clock.now()

  async function writeRecord(describeEnding: () => Ending): Promise<void> {
    const { attempts } = progress
    const duration = clock.now() - startedAt
    const described = describeOperation(operation)
    await settings.onCall({ ...described, ...describeEnding(), attempts, duration })
  }
  // Drops errors of `onCall`, and of a function that describes the ending: none may fail a payment.
  const end = (describeEnding: () => Ending) => {
    writeRecord(describeEnding).catch(() => {})
  }

  try {
    const success = await sendAttempts(call, progress)
    end(() => endingOfSuccess(success))
    return success
  } catch (error) {
    end(() => endingOfError(error))
    throw error
  }
}

/** How far a call is. */
interface Progress {
  /** How often it was sent. */
  attempts: number
}

/**
 * Sends attempt after attempt, and returns the first success. Throws the last error if a retry would
 * be unsafe, if the retries are used up, or if the deadline comes before the next attempt.
 */
async function sendAttempts(call: OutgoingCall, progress: Progress): Promise<CheckedResponse> {
  const { settings, tokens, options, readText } = call
  const { clock, retries, attemptTimeout } = settings
  const operation = { ...call.operation, endpoint: settings.baseUrl + call.operation.path }
  const deadline = createDeadline(settings, operation, options)
  const text = readText ? await deadline.run(readText) : undefined
  const content = createContent(call, text)

  let retryCount = 0
  let hasRenewedToken = false
  for (let number = 1; ; number++) {
    const authorization = tokens.cached() || (await deadline.run(tokens.get))
    const request = createRequest(call, content, authorization, number)
    progress.attempts = number
    try {
      const timeout = Math.min(attemptTimeout, deadline.timeLeft())
      return await attemptOnce(settings, request, timeout, options?.signal)
    } catch (error) {
      // A new token is tried once, at once, and does not count as a retry.
      if (isUnauthorized(error) && !hasRenewedToken && tokens.canRenew) {
        tokens.drop(authorization)
        hasRenewedToken = true
        continue
      }

      // First of all: `chooseWait` calls the caller's `random`, whose error would replace this one.
      if (!canRetry(error, operation) || retryCount >= retries) throw error

      const waitMs = chooseWait(error, retryCount, settings)
      if (!deadline.isAfter(waitMs)) throw error
      retryCount += 1
      await deadline.run((signal) => sleep(clock, waitMs, signal))
    }
  }
}

/** The time that a call may take, including its retries and waits. */
interface Deadline {
  /** Milliseconds until the call times out. Throws `TimeoutError` if none are left. */
  timeLeft(): number
  /** Whether there is time left after `ms` milliseconds. */
  isAfter(ms: number): boolean
  /** Runs a task until the call times out or the caller aborts it. */
  run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T>
}

/**
 * The time at which a call must end, from the `timeout` of the call or of the client. `timeLeft` is in
 * milliseconds, and throws `TimeoutError` if nothing is left; `run` runs a task until then at most.
 */
function createDeadline(
  { clock, timeout: defaultTimeout }: Settings,
  operation: Operation,
  options: CallOptions | null | undefined,
): Deadline {
  const { timeout = defaultTimeout, signal } = options ?? {}
  validateOption('timeout', timeout)
  requireSignal(signal, operation)
  const end = clock.now() + timeout

  function timeLeft(): number {
    const leftMs = end - clock.now()
    if (leftMs > 0) return leftMs
    throw new TimeoutError(operation, timeout)
  }

  return {
    timeLeft,
    isAfter: (ms) => clock.now() + ms < end,
    run: (task) => runWithTimeout(clock, timeLeft(), signal, operation, task),
  }
}

/** Refuses an AbortController, which is easily passed instead of its signal. */
function requireSignal(signal: unknown, operation: Operation): void {
  if (signal === undefined || signal === null) return
  if (typeof readProperty(signal, 'addEventListener') === 'function') return
  throw new ConfigError(`"signal" must be an AbortSignal, got ${tagOf(signal)}`, operation)
}

/** What every attempt of a call sends. */
interface Content {
  /** The value of the body, as the service reads it. */
  readonly input: unknown
  /** The text of the body; `undefined` without one. */
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The body and the headers that all attempts of a call send. Throws `ConfigError` if the body is no
 * object, or an amount in it is wrong.
 *
 * @param serialized the body as JSON, from another client such as openapi-fetch; otherwise the body
 * is the object `input` of the call
 */
function createContent(
  { settings, operation, input, options }: OutgoingCall,
  serialized: string | undefined,
): Content {
  // As a value, to check it. Text that is not JSON stays text, and so is refused like every other body
  // that is no object.
  const value = serialized ? parseJson(serialized, serialized) : input
  requireObjectBody(value, operation)
  requireAmounts(operation, value)
  const headers = { ...settings.headers, ...copyCallHeaders(options?.headers, operation) }

  // As text, to send it.
  const body = serialized || serialize(value, operation)
  if (!body) return { input: undefined, body: undefined, headers }

  headers['content-type'] = 'application/json'
  // As the service reads it: JSON leaves out fields that are undefined.
  const sentValue = serialized ? value : parseJson(body)
  return { input: sentValue, body, headers }
}

/** The body as JSON; `undefined` if there is no body. Throws `ConfigError` if it has no JSON. */
function serialize(value: unknown, operation: Operation): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw new ConfigError('the request cannot be serialized; see `cause`', operation, cause)
  }
}

/**
 * The request of one attempt. The client's own `authorization` takes precedence over the caller's.
 *
 * @param number that of the attempt, from 1
 */
function createRequest(
  { settings, operation, url }: OutgoingCall,
  { input, body, headers }: Content,
  authorization: string,
  number: number,
): SentRequest {
  return {
    ...operation,
    url,
    endpoint: settings.baseUrl + operation.path,
    input,
    body,
    headers: { ...headers, authorization },
    number,
  }
}

/** Whether the service refused the token. Nothing was carried out then, so a retry is safe. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof HttpError && error.status === 401
}

/**
 * Milliseconds to wait before the next attempt: what the service asks for by `retry-after`, and a
 * random time of up to 250 ms, then 500 ms and so on. So clients that failed together do not retry
 * together ("full jitter"). Infinity if the service asks for more than the longest wait.
 */
function chooseWait(error: unknown, retryCount: number, { random }: Settings): number {
  const longestMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retryCount)
  const jitterMs = random() * longestMs
  const askedMs = readRetryAfter(error) ?? 0
  return askedMs <= LONGEST_WAIT_MS ? askedMs + jitterMs : Infinity
}

/** The longest wait before the first retry; it doubles with each retry. */
const FIRST_WAIT_MS = 250

/** If `retry-after` asks for more, the call fails at once. */
const LONGEST_WAIT_MS = 30_000

/**
 * Whether a retry is safe and may help. A request of effect `once`, such as a payment, gets none if
 * it may have been carried out: its error is an `OutcomeUnknownError`. So its `ConnectionError` or
 * `TimeoutError` means that it was not.
 */
function canRetry(error: unknown, { effect }: Operation): boolean {
  if (error instanceof ConnectionError) return true
  if (error instanceof TimeoutError) return true
  if (!(error instanceof HttpError)) return false

  if (!RETRIED_STATUSES.has(error.status)) return false

  // The word of the caller's option `isRefusal` is enough to end a payment, not to send it again.
  return effect !== 'once' || isRefused(toReadResponse(error))
}

function toReadResponse({ response, text, body }: HttpError): ReadResponse {
  return { response, text, data: body }
}

/** Statuses about the moment, and not about the request. */
const RETRIED_STATUSES: ReadonlySet<number> = /* @__PURE__ */ new Set([
  408, // Request Timeout: the request did not arrive in time (RFC 9110, section 15.5.9).
  429, // Too Many Requests: a rate limit, which ends (RFC 6585, section 4).
  500, // Internal Server Error: an unexpected condition (RFC 9110, section 15.6.1).
  502, // Bad Gateway: the gateway got no valid response (section 15.6.3).
  503, // Service Unavailable: overload or maintenance, which ends (section 15.6.4).
  504, // Gateway Timeout: the gateway got no response in time (section 15.6.5).
])

function readRetryAfter(error: unknown): number | undefined {
  return error instanceof HttpError ? error.retryAfter : undefined
}

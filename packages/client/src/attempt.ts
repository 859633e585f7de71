import { repeatsField, stepsOf } from '@partner-payments/contract'
import { parseJson, readBody } from './body.ts'
import { runWithTimeout } from './clock.ts'
import { findDifferentEcho } from './echoes.ts'
import {
  ConfigError,
  ConnectionError,
  DecodeError,
  HttpError,
  OutcomeUnknownError,
  PaymentsError,
} from './errors.ts'
import { findMissingEssential } from './essential.ts'
import {
  describeOperation,
  type Operation,
  type ReadResponse,
  type SentRequest,
} from './operation.ts'
import type { Attempt } from './options.ts'
import { isRefused, readsAsProblem } from './proof.ts'
import { isObject, tagOf } from './property.ts'
import { requestNote } from './refusal.ts'
import { createInit } from './send-once.ts'
import type { Settings } from './settings.ts'
import { findOtherThanRejected } from './statuses.ts'

/** A response that the contract declares as a success. */
export interface CheckedResponse extends ReadResponse {
  /**
   * The error of a call that fails after this response: its outcome is unknown if the effect is
   * `once`.
   */
  readonly toCallError: (cause: unknown) => PaymentsError
}

/**
 * Sends a request once and reads the whole response within `ms` milliseconds. Returns a success or
 * throws. Throws `OutcomeUnknownError` if a request of effect `once` was sent and nothing proves
 * that it was not carried out.
 */
export async function attemptOnce(
  settings: Settings,
  request: SentRequest,
  ms: number,
  signal: AbortSignal | null | undefined,
): Promise<CheckedResponse> {
  const { clock, fetch } = settings
  const sentAtMs = clock.now()
  // Whether `fetch` was called.
  let wasSent = false
  // Whether something proves that the request was not carried out all the same.
  let isProvenUndone = false
  let read: ReadResponse | undefined

  /**
   * The error that the caller gets, whatever was thrown. For a payment (effect `once`) that was sent,
   * it is an `OutcomeUnknownError`, unless something proves that the payment was not carried out.
   */
  function toCallError(thrown: unknown): PaymentsError {
    const isForeseen = thrown instanceof PaymentsError
    const cause = isForeseen ? thrown : unforeseen(request, thrown, wasSent)
    if (request.effect !== 'once' || !wasSent) return cause

    // After an error that this package does not expect, not even the proof is trusted.
    if (isForeseen && isProvenUndone) return cause

    return new OutcomeUnknownError(request, new Date(sentAtMs), cause, read)
  }

  /**
   * Calls `fetch` and reads the whole response. Throws `ConnectionError` if that fails. Sets
   * `wasSent`, and `isProvenUndone` if there was no connection, for `toCallError`.
   */
  async function fetchAndRead(attemptSignal: AbortSignal): Promise<ReadResponse> {
    let response: Response | undefined
    wasSent = true
    try {
      response = await fetch(
        request.url,
        createInit(request, attemptSignal),
        describeAttempt(request),
      )
      requireResponse(response)
      const body = await readBody(response, request)
      return { ...body, response, data: parseJson(body.text) }
    } catch (thrown) {
      // The caller's `fetch` made another call with this client, which failed. That says nothing about
      // whether this request was sent.
      if (thrown instanceof PaymentsError) throw thrown

      const error = new ConnectionError(request, thrown, response !== undefined)
      // Without a connection nothing was sent.
      isProvenUndone = !error.sent
      throw error
    }
  }

  try {
    read = await runWithTimeout(clock, ms, signal, request, fetchAndRead)
    const isRefusalByOption = isRefusalForCaller(settings, read)
    isProvenUndone = isRefusalByOption || isRefused(read)
    const success = requireSuccess(request, read, clock.now(), isRefusalByOption)
    return { ...success, toCallError }
  } catch (error) {
    throw toCallError(error)
  }
}

/** The error for a failure that this package did not expect, such as one of the caller's `fetch`. */
function unforeseen(request: SentRequest, cause: unknown, wasSent: boolean): PaymentsError {
  if (wasSent) {
    return new DecodeError(request, 'unexpected error after the request was sent; see `cause`', {
      cause,
    })
  }
  return new ConfigError('the request cannot be sent; see `cause`', request, cause)
}

/**
 * Throws `TypeError` unless the `fetch` that the caller passed returned a `Response`: it may return
 * anything, such as `undefined` in a test.
 */
function requireResponse(response: Response | undefined): void {
  const isResponse = typeof response?.headers?.get === 'function'
  if (!isResponse) throw new TypeError('"fetch" must return a Response')

  // Read once for nothing: a false `Response` that throws here must do so before anything counts as
  // a success.
  response.headers.get('x-request-id')
}

/**
 * Whether the caller's option `isRefusal` says that an error response is a refusal, which means that
 * the service certainly carried nothing out. Only `true` counts: a promise, or an error that the
 * option throws, says nothing.
 */
function isRefusalForCaller({ isRefusal }: Settings, read: ReadResponse): boolean {
  const { response, text, data } = read
  const isError = response.status >= 400
  if (!isError) return false

  // In `{"code": "a", "code": "b"}` the caller sees only "b", and may decide by it.
  if (isObject(data) && repeatsField(text)) return false

  try {
    return isRefusal(response, data) === true
  } catch {
    return false
  }
}

/** What a `fetch` of the caller learns about the attempt. */
function describeAttempt(request: SentRequest): Attempt {
  return { ...describeOperation(request), number: request.number }
}

/**
 * Returns the response if it is the success that the contract declares, with its essential fields
 * and the values that were sent. Throws `HttpError` for another status, and `DecodeError` for a
 * success that is not as declared.
 */
function requireSuccess(
  request: SentRequest,
  read: ReadResponse,
  now: number,
  isRefusalByOption: boolean,
): ReadResponse {
  if (!read.response.ok) throw new HttpError(request, read, now, isRefusalByOption)

  const fault = explainInvalidSuccess(request, read)
  if (fault === undefined) return read
  throw new DecodeError(request, `${fault}${requestNote(read)}`, { body: read.data })
}

/**
 * Says why a 2xx is not the success that the contract declares, such as `expected each field once`;
 * `undefined` if it is one.
 */
function explainInvalidSuccess(request: SentRequest, read: ReadResponse): string | undefined {
  const { status } = read.response
  if (status !== request.status || !hasExpectedBody(request, read)) {
    const body = isStatusWithoutBody(request) ? '' : ' with a JSON object'
    return `expected ${request.status}${body}, got ${status} with ${describeBody(read)}`
  }

  if (repeatsField(read.text, decidingFields(request), LEVELS_THAT_DECIDE)) {
    return 'expected each field once'
  }

  const missing = findMissingEssential(request, read.data)
  if (missing) return `expected a value at ${missing}`

  // One status says that the payment was rejected, another one that it was not.
  const contradiction = findOtherThanRejected(request, read.data)
  if (contradiction) return `${contradiction} says something else than "rejected"`

  // Another value than the one that was sent: this may be the response to another request.
  const mismatch = findDifferentEcho(request, request.input, read.data)
  if (mismatch) return `${mismatch} of the response is not what was sent`

  return undefined
}

/** The deciding fields by operation: they are the same for each call. */
const decidingFieldsByOperation = /* @__PURE__ */ new Map<string, ReadonlySet<string>>()

/**
 * The names of the fields that show what a success is about, or whether a list goes on, such as
 * `id`, `amount` or `next_cursor`. If a response has one of them twice, nobody knows which one
 * counts. Collected once per operation.
 */
function decidingFields(operation: Operation): ReadonlySet<string> {
  const { operationId } = operation
  const collected = decidingFieldsByOperation.get(operationId)
  if (collected) return collected

  const fields = listDecidingFields(operation)
  decidingFieldsByOperation.set(operationId, fields)
  return fields
}

function listDecidingFields({ essential = {}, echoes = [], isPaged }: Operation): Set<string> {
  const pointers = [...Object.keys(essential), ...echoes.map(([, shown]) => shown)]
  const ofPage = isPaged ? ['data', 'next_cursor'] : []
  return new Set([...pointers.flatMap(stepsOf), ...ofPage])
}

/** All of them stand in the body, or in an object of it. */
const LEVELS_THAT_DECIDE = 2

/**
 * Whether the body is one that a success may have: a JSON object, or empty where the contract
 * allows it.
 */
function hasExpectedBody(request: SentRequest, read: ReadResponse): boolean {
  // The contract declares a 204, so there is no body to judge.
  if (isStatusWithoutBody(request)) return true

  const isAllowedEmpty = request.mayBeEmpty === true && read.text === ''
  if (isAllowedEmpty) return true

  // Problem details are not a success, whatever the status says.
  return isObject(read.data) && !readsAsProblem(read)
}

/** A 204 has no body (RFC 9110, section 15.3.5). */
function isStatusWithoutBody({ status }: SentRequest): boolean {
  return status === 204
}

/** Describes an unexpected body for an error message, without its values: `an empty body`. */
function describeBody(read: ReadResponse): string {
  const { data, text, response } = read
  if (!text) return 'an empty body'
  if (readsAsProblem(read)) return 'problem details'
  if (data !== undefined) return `a JSON ${tagOf(data).toLowerCase()}`

  const contentType = response.headers.get('content-type') ?? ''
  const [type = 'no content-type'] = MEDIA_TYPE.exec(contentType) ?? []
  const isPage = type.toLowerCase() === 'text/html'
  const question = isPage ? ': is the base URL right?' : ''
  return `a body that is not JSON (${type})${question}`
}

const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}/

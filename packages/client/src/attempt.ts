import { parseJson, textOf } from './body.ts'
import { within } from './clock.ts'
import { mismatchOf } from './echoes.ts'
import {
  ConnectionError,
  DecodeError,
  HttpError,
  isNamedProblem,
  isObject,
  isRefused,
  OutcomeUnknownError,
  PaymentsError,
  tagOf,
} from './errors.ts'
import type { ReadResponse, SentRequest } from './operation.ts'
import type { Attempt } from './options.ts'
import { requestNote } from './refusal.ts'
import { initOf } from './send-once.ts'
import type { Settings } from './settings.ts'

/** A response that the contract declares as a success. */
export interface CheckedResponse extends ReadResponse {
  /**
   * The error of a call that fails after this response: its outcome is unknown if the effect is
   * `once`.
   */
  readonly failed: (cause: PaymentsError) => PaymentsError
}

/**
 * Sends a request once and reads the whole response within `ms` milliseconds. Returns a success or
 * throws. Throws `OutcomeUnknownError` if a request of effect `once` was sent and nothing proves
 * that it was not carried out.
 */
export async function attemptOnce(
  { clock, fetch }: Settings,
  request: SentRequest,
  ms: number,
  signal: AbortSignal | null | undefined,
): Promise<CheckedResponse> {
  const sentAt = new Date(clock.now())
  // Whether the service may have carried the request out, as far as the attempt has shown.
  let mayBeDone = false
  let read: ReadResponse | undefined

  function failed(cause: PaymentsError): PaymentsError {
    const isUnknown = mayBeDone && request.effect === 'once'
    return isUnknown ? new OutcomeUnknownError(request, sentAt, cause, read) : cause
  }

  async function exchange(attemptSignal: AbortSignal): Promise<ReadResponse> {
    let response: Response | undefined
    mayBeDone = true
    try {
      response = await fetch(request.url, initOf(request, attemptSignal), attemptOf(request))
      const text = await textOf(response, request)
      return { response, text, data: parseJson(text) }
    } catch (thrown) {
      // It may belong to another call, which the caller's `fetch` made: it proves nothing here.
      if (thrown instanceof PaymentsError) throw thrown

      const error = new ConnectionError(request, thrown, response !== undefined)
      // Without a connection nothing was sent.
      mayBeDone = error.sent
      throw error
    }
  }

  try {
    read = await within(clock, ms, signal, request, exchange)
    mayBeDone = !isRefused(read)
    const success = successOf(request, read, clock.now())
    return { ...success, failed }
  } catch (error) {
    throw failed(error as PaymentsError)
  }
}

/** What a `fetch` of the caller learns about the attempt. */
function attemptOf({ operationId, method, path, effect, number }: SentRequest): Attempt {
  return {
    operationId,
    method,
    path,
    effect,
    number,
  }
}

/**
 * Accepts only the success status and body that the contract declares, with the values that were
 * sent.
 */
function successOf(request: SentRequest, read: ReadResponse, now: number): ReadResponse {
  const { ok, status } = read.response
  if (!ok) throw new HttpError(request, read, now)

  if (status !== request.status || !hasDueBody(request, read)) {
    const body = isEmptyDue(request) ? '' : ' with a JSON object'
    throw new DecodeError(
      request,
      `expected ${request.status}${body}, got ${status} with ${describeBody(read)}${requestNote(read)}`,
    )
  }

  const mismatch = mismatchOf(request, request.input, read.data)
  if (mismatch) {
    throw new DecodeError(
      request,
      `${mismatch} of the response is not what was sent${requestNote(read)}`,
    )
  }

  return read
}

function hasDueBody(request: SentRequest, read: ReadResponse): boolean {
  if (isEmptyDue(request)) return true
  // Problem details are not a success, whatever the status says.
  return isObject(read.data) && !isNamedProblem(read)
}

/** A 204 has no body (RFC 9110, section 15.3.5). */
function isEmptyDue({ status }: SentRequest): boolean {
  return status === 204
}

/** Describes the body without its values. */
function describeBody(read: ReadResponse): string {
  const { data, text, response } = read
  if (!text) return 'an empty body'
  if (isNamedProblem(read)) return 'problem details'
  if (data !== undefined) return `a JSON ${tagOf(data).toLowerCase()}`

  const contentType = response.headers.get('content-type') ?? ''
  const [type = 'no content-type'] = /^[\w.+-]+\/[\w.+-]+/.exec(contentType) ?? []
  return `a body that is not JSON (${type})`
}

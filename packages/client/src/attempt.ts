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
  const { operationId, method, path, effect, number, url } = request
  const sentAt = new Date(clock.now())
  let mayBeDone = false
  let read: ReadResponse | undefined
  const failed = (cause: PaymentsError) =>
    mayBeDone && effect === 'once' ? new OutcomeUnknownError(request, sentAt, cause, read) : cause
  const exchange = async (signal: AbortSignal) => {
    let response: Response | undefined
    mayBeDone = true
    try {
      response = await fetch(url, initOf(request, signal), {
        operationId,
        method,
        path,
        effect,
        number,
      })
      const text = await textOf(response, request)
      return { response, text, data: parseJson(text) }
    } catch (thrown) {
      if (thrown instanceof PaymentsError) throw thrown
      const error = new ConnectionError(request, thrown, response !== undefined)
      mayBeDone = error.sent
      throw error
    }
  }
  try {
    read = await within(clock, ms, signal, request, exchange)
    mayBeDone = !isRefused(read)
    return { ...successOf(request, read, clock.now()), failed }
  } catch (error) {
    throw failed(error as PaymentsError)
  }
}

/**
 * Accepts only the success status and body that the contract declares, with the values that were
 * sent.
 */
function successOf(request: SentRequest, read: ReadResponse, now: number): ReadResponse {
  const { ok, status } = read.response
  if (!ok) throw new HttpError(request, read, now)
  const refuse = (message: string) => {
    throw new DecodeError(request, message + requestNote(read))
  }
  const isEmptyDue = request.status === 204
  const isDue = isEmptyDue || (isObject(read.data) && !isNamedProblem(read))
  if (status !== request.status || !isDue) {
    const expected = `expected ${request.status}${isEmptyDue ? '' : ' with a JSON object'}`
    refuse(`${expected}, got ${status} with ${kindOf(read)}`)
  }
  const mismatch = mismatchOf(request, request.input, read.data)
  if (mismatch) refuse(`${mismatch} of the response is not what was sent`)
  return read
}

/** Describes the body without its values. */
function kindOf(read: ReadResponse): string {
  const { data, text, response } = read
  if (!text) return 'an empty body'
  if (isNamedProblem(read)) return 'problem details'
  if (data !== undefined) return `a JSON ${tagOf(data).toLowerCase()}`
  const [type = 'no content-type'] =
    /^[\w.+-]+\/[\w.+-]+/.exec(`${response.headers.get('content-type')}`) ?? []
  return `a body that is not JSON (${type})`
}

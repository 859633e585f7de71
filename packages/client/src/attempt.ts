import { textOf } from './body.ts'
import { within } from './clock.ts'
import { mismatchOf } from './echoes.ts'
import {
  ConfigError,
  ConnectionError,
  DecodeError,
  HttpError,
  isNamedProblem,
  isObject,
  isRefused,
  OutcomeUnknownError,
  PaymentsError,
  tagOf,
  typed,
} from './errors.ts'
import type { Attempt, AttemptResult } from './middleware.ts'
import type { Operation } from './operation.ts'
import { requestNote } from './refusal.ts'
import { initOf } from './send-once.ts'
import type { Settings } from './settings.ts'

/**
 * Sends a request once and reads the whole response within `ms` milliseconds. Returns a success or throws. Throws
 * `OutcomeUnknownError` if a request of effect `once` was sent and nothing proves that it was not carried out.
 */
export async function attemptOnce(
  settings: Settings,
  request: Omit<Attempt, 'signal'>,
  ms: number,
  signal: AbortSignal | null | undefined,
): Promise<AttemptResult> {
  const { clock } = settings
  const sentAt = new Date(clock.now())
  const gate: Gate = { isOpen: true, unproven: 0 }
  let result: AttemptResult | undefined
  try {
    const returned = await within(clock, ms, signal, request, (signal) =>
      layersOf(settings, request.effect, gate)({ ...request, signal }),
    )
    if (!returned?.response?.headers) throw new ConfigError('a middleware returned no response', request)
    result = returned
    const success = successOf(request, result, clock.now())
    if (!gate.mismatch) return success
    throw new DecodeError(
      request,
      `${gate.mismatch} of the response is not what was sent${requestNote(result)}`,
    )
  } catch (thrown) {
    const error = typed(thrown, 'a middleware failed', request)
    const isKnown = gate.unproven === 0 && (!result || isRefused(result))
    if (request.effect !== 'once' || isKnown) throw error
    throw new OutcomeUnknownError(request, sentAt, error, result)
  } finally {
    gate.isOpen = false
  }
}

/** Guards each request of an attempt, since a middleware may call `next` twice or too late. */
interface Gate {
  /** True until the attempt ends. */
  isOpen: boolean
  /** Requests that were sent and may have been carried out. */
  unproven: number
  /** JSON pointer of the first value in the last response that differs from the request. */
  mismatch?: string | undefined
}

/** Wraps the HTTP exchange in the middlewares. */
function layersOf({ middleware, fetch }: Settings, effect: Operation['effect'], gate: Gate) {
  const send = async (attempt: Attempt) => {
    const isSecond = effect === 'once' && gate.unproven > 0
    if (!gate.isOpen || isSecond)
      throw new ConfigError('"next" was called twice, or after the attempt ended', attempt)
    gate.unproven++
    try {
      // A middleware must not change the effect.
      const result = await exchange(fetch, { ...attempt, effect })
      if (isRefused(result)) gate.unproven--
      gate.mismatch = attempt.echoes && mismatchOf(attempt, parse(attempt.body ?? ''), result.data)
      return result
    } catch (error) {
      if (error instanceof ConnectionError && !error.sent) gate.unproven--
      throw error
    }
  }
  return middleware.reduceRight<typeof send>((next, layer) => async (attempt) => layer(attempt, next), send)
}

async function exchange(fetch: Settings['fetch'], attempt: Attempt): Promise<AttemptResult> {
  let hasResponse = false
  try {
    const response = await fetch(attempt.url, initOf(attempt))
    hasResponse = true
    const text = await textOf(response, attempt)
    return { response, data: parse(text), isEmpty: !text }
  } catch (thrown) {
    throw thrown instanceof PaymentsError ? thrown : new ConnectionError(attempt, thrown, hasResponse)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Accepts only the success status and body that the contract declares. */
function successOf(operation: Operation, result: AttemptResult, now: number): AttemptResult {
  const { ok, status } = result.response
  if (!ok) throw new HttpError(operation, result, now)
  const isEmptyDue = operation.status === 204
  const isDue = isEmptyDue || (isObject(result.data) && !isNamedProblem(result))
  if (status === operation.status && isDue) return result
  const expected = `expected ${operation.status}${isEmptyDue ? '' : ' with a JSON object'}`
  throw new DecodeError(operation, `${expected}, got ${status} with ${kindOf(result)}${requestNote(result)}`)
}

/** Describes the body without its values. */
function kindOf(result: AttemptResult): string {
  const { data, isEmpty, response } = result
  if (isEmpty) return 'an empty body'
  if (isNamedProblem(result)) return 'problem details'
  if (data !== undefined) return `a JSON ${tagOf(data).toLowerCase()}`
  const [type = 'no content-type'] =
    /^[\w.+-]+\/[\w.+-]+/.exec(`${response.headers.get('content-type')}`) ?? []
  return `a body that is not JSON (${type})`
}

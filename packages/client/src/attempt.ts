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
  isProblem,
  OutcomeUnknownError,
  PaymentsError,
} from './errors.ts'
import type { Attempt, Reply } from './middleware.ts'
import { closing, onceInit } from './once.ts'
import type { Operation } from './operation.ts'
import { requestNote } from './refusal.ts'
import type { Settings } from './settings.ts'

/**
 * Sends a request once and reads the whole answer, within `ms`. Gives a success, or throws: an
 * `OutcomeUnknownError` where a request of effect `once` left and nothing proves that it was not carried out.
 */
export async function attemptOnce(
  settings: Settings,
  request: Omit<Attempt, 'signal'>,
  ms: number,
  signal: AbortSignal | null | undefined,
): Promise<Reply> {
  const { clock } = settings
  const sentAt = new Date(clock.now())
  const gate: Gate = { isOpen: true, unproven: 0 }
  let reply: Reply | undefined
  try {
    reply = await within(clock, ms, signal, request, (signal) =>
      layersOf(settings, request.effect, gate)({ ...request, signal }),
    )
    const success = successOf(request, reply, clock.now())
    if (!gate.mismatch) return success
    throw new DecodeError(
      request,
      `the response belongs to another request: ${gate.mismatch} is not what was sent${requestNote(reply)}`,
    )
  } catch (thrown) {
    const error =
      thrown instanceof PaymentsError ? thrown : new ConfigError('a middleware failed', request, thrown)
    const isKnown = gate.unproven === 0 && (!reply || isRefused(reply))
    if (request.effect !== 'once' || isKnown) throw error
    throw new OutcomeUnknownError(request, sentAt, error, reply)
  } finally {
    gate.isOpen = false
  }
}

/** What a request of the attempt has to pass; a middleware may send it more than once, and late. */
interface Gate {
  /** Until the attempt has ended. */
  isOpen: boolean
  /** Requests that left, without a proof that they were not carried out. */
  unproven: number
  /** Where the last response shows another value than was sent. */
  mismatch?: string | undefined
}

/** The middlewares around the exchange. */
function layersOf({ middleware, fetch }: Settings, effect: Operation['effect'], gate: Gate) {
  const send = async (attempt: Attempt) => {
    const isSecond = effect === 'once' && gate.unproven > 0
    if (!gate.isOpen || isSecond)
      throw new ConfigError('"next" was called twice, or after the attempt ended', attempt)
    gate.unproven++
    try {
      // A middleware may not change the effect.
      const reply = await exchange(fetch ?? globalThis.fetch, { ...attempt, effect })
      if (isRefused(reply)) gate.unproven--
      gate.mismatch = attempt.echoes && mismatchOf(attempt, parse(attempt.body ?? ''), reply.data)
      return reply
    } catch (error) {
      if (error instanceof ConnectionError && !error.sent) gate.unproven--
      throw error
    }
  }
  return middleware.reduceRight<typeof send>((next, layer) => async (attempt) => layer(attempt, next), send)
}

async function exchange(fetch: NonNullable<Settings['fetch']>, attempt: Attempt): Promise<Reply> {
  const { url, method, body, signal, effect } = attempt
  const headers = closing(attempt.headers)
  let answered = false
  try {
    const init = effect === 'once' ? onceInit(body, headers) : { body: body ?? null, headers }
    // A redirect that is followed would take the credentials along, or turn a POST into a GET.
    const response = await fetch(url, { ...init, method, signal, redirect: 'manual' })
    answered = true
    const text = await textOf(response, attempt)
    return { response, data: parse(text), isEmpty: !text }
  } catch (thrown) {
    throw thrown instanceof PaymentsError ? thrown : new ConnectionError(attempt, thrown, answered)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A failure never reads as success, and neither does another success than that of the contract. */
function successOf(operation: Operation, reply: Reply, now: number): Reply {
  const { ok, status } = reply.response
  if (!ok) throw new HttpError(operation, reply, now)
  const isDue = operation.status === 204 || (isObject(reply.data) && !isNamedProblem(reply))
  if (status === operation.status && isDue) return reply
  const expected = `expected ${operation.status}${operation.status === 204 ? '' : ' with a JSON object'}`
  throw new DecodeError(operation, `${expected}, got ${status} with ${kindOf(reply)}${requestNote(reply)}`)
}

/** What the body is, without its values. */
function kindOf(reply: Reply): string {
  const { data, isEmpty, response } = reply
  if (isEmpty) return 'an empty body'
  if (data === undefined) return `a body that is not JSON (${typeOf(response)})`
  if (isNamedProblem(reply)) return 'problem details'
  return data === null ? 'null' : Array.isArray(data) ? 'an array' : `a JSON ${typeof data}`
}

function typeOf({ headers }: Response): string {
  const [type = 'no content-type'] = /^[\w.+-]+\/[\w.+-]+/.exec(headers.get('content-type') ?? '') ?? []
  return type
}

/**
 * Was the request surely not carried out? 401 says so (RFC 9110, section 15.5.2), and so does another 4xx with problem
 * details: assumption `effects`. 421 does not, since `fetch` may have sent the request twice (Fetch Standard); nor do
 * 408 and 429 of a gateway, whose own JSON may have a `status`, nor problem details of another status.
 */
function isRefused(reply: Reply): boolean {
  const { status } = reply.response
  if (status === 401) return true
  if (status < 400 || status > 499 || status === 421 || !isProblem(reply)) return false
  const { status: stated = status } = reply.data as { status?: unknown }
  return stated === status && (isNamedProblem(reply) || !/408|429/.test(`${status}`))
}

import { textOf } from './body.ts'
import { within } from './clock.ts'
import {
  ConfigError,
  ConnectionError,
  DecodeError,
  HttpError,
  OutcomeUnknownError,
  PaymentsError,
} from './errors.ts'
import type { Attempt, Reply } from './middleware.ts'
import type { Operation } from './operation.ts'
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
  const { clock, middleware, fetch = globalThis.fetch } = settings
  const sentAt = new Date(clock.now())
  let left = false
  const send = (attempt: Attempt) => {
    left = true
    return exchange(fetch, attempt)
  }
  const layers = middleware.reduceRight<(attempt: Attempt) => Promise<Reply>>(
    (next, layer) => async (attempt) => layer(attempt, next),
    send,
  )
  try {
    const reply = await within(clock, ms, signal, request, (signal) => layers({ ...request, signal }))
    return successOf(request, reply, clock.now())
  } catch (thrown) {
    const error =
      thrown instanceof PaymentsError ? thrown : new ConfigError('a middleware failed', request, thrown)
    if (!left || request.effect !== 'once' || isRefusal(error)) throw error
    throw new OutcomeUnknownError(request, sentAt, error)
  }
}

async function exchange(fetch: NonNullable<Settings['fetch']>, attempt: Attempt): Promise<Reply> {
  const { url, method, headers, body = null, signal } = attempt
  try {
    // A redirect that is followed would take the credentials along, or turn a POST into a GET.
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
    return { response, data: parse(await textOf(response, attempt)) }
  } catch (thrown) {
    throw thrown instanceof PaymentsError ? thrown : new ConnectionError(attempt, thrown)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A failure never reads as success, and neither does a success without the body that is due. */
function successOf(operation: Operation, reply: Reply, now: number): Reply {
  const { data } = reply
  const { ok, status } = reply.response
  if (!ok) throw new HttpError(operation, reply, now)
  if (operation.status !== 204 && (typeof data !== 'object' || !data)) {
    throw new DecodeError(operation, `answered ${status} without the JSON that is due`)
  }
  return reply
}

/**
 * Was the request surely not carried out? It did not leave; or 401, which says so (RFC 9110, section 15.5.2); or
 * another 4xx with problem details: our answer to the open question `effects`.
 */
function isRefusal(error: PaymentsError): boolean {
  if (error instanceof ConnectionError) return !error.sent
  if (!(error instanceof HttpError)) return false
  return error.status === 401 || (error.status > 399 && error.status < 500 && error.problem !== undefined)
}

import { attemptOnce, type CheckedResponse } from './attempt.ts'
import { parseJson } from './body.ts'
import { sleep, within } from './clock.ts'
import { ConfigError, type HttpError, TimeoutError, tagOf } from './errors.ts'
import type { Operation } from './operation.ts'
import type { CallOptions } from './options.ts'
import { checked, type Settings } from './settings.ts'
import type { Tokens } from './tokens.ts'

/** Sends until a success, or until an error for which a retry is useless or unsafe. */
export async function send(
  settings: Settings,
  tokens: Tokens,
  operation: Operation,
  url: string,
  given: unknown,
  options?: CallOptions | null,
  read?: () => Promise<string>,
): Promise<CheckedResponse> {
  const { clock, retries, attemptTimeout } = settings
  const { timeout = settings.timeout, signal, headers } = options ?? {}
  checked('timeout', timeout)
  const end = clock.now() + timeout
  const timeLeft = () => {
    const left = end - clock.now()
    if (left > 0) return left
    throw new TimeoutError(operation, timeout)
  }
  const text = read && (await within(clock, timeLeft(), signal, operation, read))
  const content = contentOf(operation, text ? parseJson(text, text) : given, text, headers)
  let renewed = false
  let resent = 0
  for (let number = 1; ; number++) {
    const authorization =
      tokens.cached() || (await within(clock, timeLeft(), signal, operation, tokens.get))
    const request = {
      ...operation,
      ...content,
      url,
      number,
      headers: { ...content.headers, authorization },
    }
    try {
      return await attemptOnce(settings, request, Math.min(attemptTimeout, timeLeft()), signal)
    } catch (error) {
      const { status } = error as HttpError
      if (status === 401 && !renewed && tokens.drop(authorization)) {
        renewed = true
        continue
      }
      const wait = waitBefore(error, resent, settings)
      if (resent++ >= retries || !(clock.now() + wait < end)) throw error
      await within(clock, timeLeft(), signal, operation, (own) => sleep(clock, wait, own))
    }
  }
}

/**
 * What is sent, validated: the body with its value as the service reads it, and the caller's
 * headers.
 */
function contentOf(
  operation: Operation,
  given: unknown,
  text?: string,
  own?: CallOptions['headers'],
) {
  // JSON.stringify would turn a FormData, URLSearchParams or Blob into `{}`.
  const tag = tagOf(given)
  if (!/^(Object|Undefined)$/.test(tag))
    throw new ConfigError(`the body must be an object, got ${tag}`, operation)
  try {
    const body = text || (JSON.stringify(given) as string | undefined)
    const headers: Record<string, string> = own ? Object.fromEntries(new Headers(own)) : {}
    if (body) headers['content-type'] = 'application/json'
    return { input: text ? given : body && parseJson(body), body, headers }
  } catch (cause) {
    throw new ConfigError('the request cannot be serialized; see `cause`', operation, cause)
  }
}

/**
 * Milliseconds to wait before the next attempt; Infinity means no retry. An `OutcomeUnknownError`
 * is never retried. Full jitter, so that clients that failed together do not retry together.
 */
function waitBefore(error: unknown, resent: number, { random }: Settings): number {
  const { kind, status, retryAfter } = error as HttpError
  // Comes first: a `random` that throws must not replace an `OutcomeUnknownError`.
  if (!/^(connection|timeout|http(408|429|50[0234]))/.test(`${kind}${status}`)) return Infinity
  const wait = retryAfter ?? random() * Math.min(LONGEST_WAIT, 250 * 2 ** resent)
  return wait <= LONGEST_WAIT ? wait : Infinity
}

const LONGEST_WAIT = 30_000

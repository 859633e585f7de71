import { attemptOnce } from './attempt.ts'
import { sleep, within } from './clock.ts'
import { ConfigError, ConnectionError, HttpError, TimeoutError } from './errors.ts'
import type { Reply } from './middleware.ts'
import type { Operation } from './operation.ts'
import type { CallOptions } from './options.ts'
import type { Settings } from './settings.ts'
import type { Tokens } from './tokens.ts'

/** Sends until there is a success, or an error that a retry would not fix or could make worse. */
export async function send(
  settings: Settings,
  tokens: Tokens,
  operation: Operation,
  url: string,
  input: unknown,
  given?: CallOptions | null,
): Promise<Reply> {
  const options = given ?? {}
  const { clock, retries } = settings
  const { timeout = settings.timeout, signal } = options
  const end = clock.now() + timeout
  const { headers, body } = contentOf(operation, input, options)
  const timeLeft = () => {
    const left = end - clock.now()
    if (left > 0) return left
    throw new TimeoutError(operation, timeout)
  }
  let renewed = false
  let resent = 0
  for (let number = 1; ; number++) {
    const authorization = tokens.kept() || (await within(clock, timeLeft(), signal, operation, tokens.get))
    const request = { ...operation, url, headers: { ...headers, authorization }, input, body, number }
    const ms = Math.min(settings.attemptTimeout, timeLeft())
    try {
      return await attemptOnce(settings, request, ms, signal)
    } catch (error) {
      const { status } = error as HttpError
      if (status === 401 && !renewed && tokens.drop(authorization)) {
        renewed = true
        continue
      }
      const wait = waitBefore(error, resent, settings)
      if (resent++ >= retries || !(clock.now() + wait < end)) throw error
      await sleep(clock, wait, signal, operation)
    }
  }
}

/** The caller's headers, in lower case and such as can be sent, and the body. */
function contentOf(operation: Operation, input: unknown, options: CallOptions) {
  // JSON has nothing of a FormData, URLSearchParams or Blob: the body would be `{}`.
  const tag = Object.prototype.toString.call(input).slice(8, -1)
  if (!/^(Object|Undefined)$/.test(tag))
    throw new ConfigError(`the body must be an object, got ${tag}`, operation)
  try {
    const body = JSON.stringify(input) as string | undefined
    const own = options.headers && Object.fromEntries(new Headers(options.headers))
    return { headers: { ...own, ...(body && { 'content-type': 'application/json' }) }, body }
  } catch (cause) {
    throw new ConfigError('the body must be JSON, and headers must be strings', operation, cause)
  }
}

/**
 * Milliseconds to wait before the request is sent again; Infinity: never. An error of effect `once` that comes this
 * far was a refusal. Full jitter, so that clients which failed together do not come back together.
 */
function waitBefore(error: unknown, resent: number, { random }: Settings): number {
  const { retryAfter } = error as HttpError
  if (!isPassing(error) || Number(retryAfter) > LONGEST_WAIT) return Infinity
  return retryAfter ?? random() * Math.min(LONGEST_WAIT, 250 * 2 ** resent)
}

const LONGEST_WAIT = 30_000

function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof HttpError && /408|429|50[0234]/.test(`${error.status}`))
  )
}

import { attemptOnce } from './attempt.ts'
import { sleep, within } from './clock.ts'
import { AbortedError, ConfigError, ConnectionError, HttpError, TimeoutError } from './errors.ts'
import type { Reply } from './middleware.ts'
import type { Operation } from './operation.ts'
import type { CallOptions } from './options.ts'
import type { Settings } from './settings.ts'
import type { Tokens } from './tokens.ts'

/** Sends until there is a success, or an error that sending again would not mend or might make worse. */
export async function send(
  settings: Settings,
  tokens: Tokens,
  operation: Operation,
  url: string,
  input: unknown,
  { timeout = settings.timeout, signal, headers: own }: CallOptions = {},
): Promise<Reply> {
  const { clock, attemptTimeout, retries } = settings
  if (signal?.aborted) throw new AbortedError(operation, signal.reason)
  const end = clock.now() + timeout
  const body = serialize(operation, input)
  let renewed = false
  let resent = 0
  for (let number = 1; ; number++) {
    const found = tokens.get()
    const authorization =
      typeof found === 'string'
        ? found
        : await within(clock, end - clock.now(), signal, operation, () => found)
    const headers = headersOf(authorization, body, own)
    const request = { ...operation, url, headers, input, body, number }
    try {
      return await attemptOnce(settings, request, Math.min(attemptTimeout, end - clock.now()), signal)
    } catch (error) {
      const { status } = error as HttpError
      if (status === 401 && tokens.drop(authorization) && !renewed) {
        renewed = true
        continue
      }
      const wait = waitBefore(error, resent, settings)
      if (resent++ >= retries || !(clock.now() + wait < end)) throw error
      await sleep(clock, wait, signal, operation)
    }
  }
}

function serialize(operation: Operation, input: unknown): string | undefined {
  try {
    return JSON.stringify(input)
  } catch (cause) {
    throw new ConfigError('the body must be JSON', operation, cause)
  }
}

function headersOf(authorization: string, body: string | undefined, own: CallOptions['headers']) {
  const headers: Record<string, string> = {}
  for (const name in own) headers[name.toLowerCase()] = String(own[name])
  headers.authorization = authorization
  if (body) headers['content-type'] = 'application/json'
  return headers
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

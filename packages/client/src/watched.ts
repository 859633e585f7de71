import { type ErrorKind, PaymentsError } from './errors.ts'
import type { Attempt, Reply } from './middleware.ts'

/** How an attempt ended: with a reply of any status, or with an error. */
export type Ended = (reply: Reply | undefined, error: unknown) => unknown

/**
 * Sends, and tells once how the attempt ended; where time is up, at once, since a fetch need not listen to its
 * signal. An error in `ended` changes nothing: code that watches a payment must not decide its outcome.
 */
export async function watched(
  attempt: Attempt,
  next: (attempt: Attempt) => Promise<Reply>,
  ended: Ended,
): Promise<Reply> {
  const { signal } = attempt
  let told = false
  const tell = async (...how: Parameters<Ended>) => {
    if (told) return
    told = true
    try {
      await ended(...how)
    } catch {}
  }
  const abort = () => tell(undefined, signal.reason)
  signal.addEventListener('abort', abort)
  try {
    const reply = await next(attempt)
    tell(reply, undefined)
    return reply
  } catch (error) {
    tell(undefined, error)
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** The kind of an error as the caller will see it: what is not of this package came from a middleware. */
export function kindOf(error: unknown): ErrorKind {
  return error instanceof PaymentsError ? error.kind : 'config'
}

import { type ErrorKind, PaymentsError } from './errors.ts'
import type { Attempt, AttemptResult } from './middleware.ts'

/** Receives the result of an attempt (of any status) or its error. */
export type OnEnd = (result: AttemptResult | undefined, error: unknown) => unknown

/**
 * Sends the attempt and calls `onEnd` once when it ends. On a timeout it calls `onEnd` at once, since `fetch` may ignore
 * its signal. An error in `onEnd` is dropped: code that observes a payment must not decide its outcome.
 */
export async function observe(
  attempt: Attempt,
  next: (attempt: Attempt) => Promise<AttemptResult>,
  onEnd: OnEnd,
): Promise<AttemptResult> {
  const { signal } = attempt
  let isReported = false
  const report = async (...end: Parameters<OnEnd>) => {
    if (isReported) return
    isReported = true
    try {
      await onEnd(...end)
    } catch {}
  }
  const abort = () => report(undefined, signal.reason)
  signal.addEventListener('abort', abort)
  try {
    const result = await next(attempt)
    report(result, undefined)
    return result
  } catch (error) {
    report(undefined, error)
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** The kind of an error as the caller sees it. An error of another package came from a middleware. */
export function kindOf(error: unknown): ErrorKind {
  return error instanceof PaymentsError ? error.kind : 'config'
}

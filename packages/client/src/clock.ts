import { AbortedError, type PaymentsError, TimeoutError } from './errors.ts'
import type { Operation } from './operation.ts'

/** The time source; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `wake` after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, wake: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, Math.min(ms, LONGEST_DELAY_MS))
    return () => clearTimeout(timer)
  },
}

/** setTimeout fires at once for a longer delay. */
const LONGEST_DELAY_MS = 2 ** 31 - 1

/**
 * Runs `task` and returns its result. Rejects with a typed error after `ms` milliseconds or when
 * the caller aborts, even if `task` ignores its signal.
 *
 * @param operation named by the error
 */
export async function runWithTimeout<T>(
  { after }: Clock,
  ms: number,
  signal: AbortSignal | null | undefined,
  operation: Operation,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw new AbortedError(operation, signal.reason)

  const controller = new AbortController()
  let abort = () => {}
  let cancel = () => {}
  try {
    return await new Promise<T>((resolve, reject) => {
      // Rejects first, so that an error of the aborted `task` comes too late. The task cannot pass the
      // error on: in React Native, an AbortController drops the reason.
      const end = (error: PaymentsError) => {
        reject(error)
        controller.abort(error)
      }
      abort = () => end(new AbortedError(operation, signal?.reason))
      signal?.addEventListener('abort', abort)
      cancel = after(ms, () => end(new TimeoutError(operation, ms)))
      task(controller.signal).then(resolve, reject)
    })
  } finally {
    cancel()
    signal?.removeEventListener('abort', abort)
  }
}

/**
 * Resolves after `ms` milliseconds. Never settles if the signal aborts before: `runWithTimeout`,
 * whose signal it is, has rejected then.
 */
export function sleep({ after }: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((wake) => {
    const cancel = after(ms, wake)
    signal.addEventListener('abort', cancel)
  })
}

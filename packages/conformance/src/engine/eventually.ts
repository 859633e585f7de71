import type { Context } from './context.ts'

/** A transfer settles within this time even on a busy service. */
const DEFAULT_TIMEOUT_MS = 8_000
const POLL_MS = 20

/** Polls until the value is as expected or the timeout is over, and returns the last value. */
export async function eventually<T>(
  { pause }: Pick<Context, 'pause'>,
  look: () => T | Promise<T>,
  isThere: (seen: T) => boolean,
  patienceMs = DEFAULT_TIMEOUT_MS,
): Promise<T> {
  const until = performance.now() + patienceMs
  for (;;) {
    const seen = await look()
    if (isThere(seen) || performance.now() > until) return seen
    await pause(POLL_MS)
  }
}

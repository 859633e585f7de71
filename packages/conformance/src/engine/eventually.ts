import type { Context } from './context.ts'

/** Milliseconds within which a transfer ends, on a busy service too, and between looks. */
const DEFAULT_TIMEOUT_MS = 8_000
const POLL_MS = 20

/** What is seen once it is as it should become; else what was seen last, when patience ends. */
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

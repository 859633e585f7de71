import { type RunningSandbox, type ServeOptions, serve } from '../src/index.ts'

/** The day on which the contract's examples take place. */
const EXAMPLES_DAY = Date.parse('2026-11-02T14:30:00Z')

/**
 * Starts a sandbox in memory on a free port. Its clock starts on the day of the examples, so their dates are not past,
 * and transfers settle at once.
 */
export function start(options: ServeOptions = {}): Promise<RunningSandbox> {
  const begin = performance.now()
  const now = () => Math.round(EXAMPLES_DAY + performance.now() - begin)
  return serve({ port: 0, now, settleAfterMs: 0, limitsRates: false, ...options })
}

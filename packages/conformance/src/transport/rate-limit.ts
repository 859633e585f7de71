import { setTimeout as sleep } from 'node:timers/promises'
import type { Transport } from './transport.ts'

interface Clock {
  /** Milliseconds. */
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>
}

const CLOCK: Clock = {
  now: () => performance.now(),
  // An aborted wait continues, and the transport ends the request with the same signal.
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
}

/**
 * Limits a transport to a number of requests per second, evenly spaced.
 *
 * @param rate Requests per second: a positive number.
 *
 * @example
 * const transport = createRateLimitedTransport(createHttpTransport(new URL('http://127.0.0.1:4020')), 10)
 */
export function createRateLimitedTransport(
  transport: Transport,
  rate: number,
  { now, sleep }: Clock = CLOCK,
): Transport {
  let next = 0
  return {
    async send(request, signal) {
      const at = Math.max(now(), next)
      next = at + 1000 / rate
      const ms = at - now()
      if (ms > 0) await sleep(ms, signal)
      return transport.send(request, signal)
    },
    close: () => transport.close(),
  }
}

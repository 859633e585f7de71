import { type Clock, clockBy } from './clock.ts'
import type { Transport } from './transport.ts'

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
  { now, sleep }: Clock = clockBy(() => performance.now()),
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

import { type HttpResponse, headerOf } from '../model/http.ts'
import { type Clock, clockBy } from './clock.ts'
import type { Transport } from './transport.ts'

/** Wait after a 429 without `retry-after`, and the longest wait. */
const DEFAULT_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000
/** Limits the waits of a whole run. */
const MAX_TOTAL_WAIT_MS = 300_000
/** Concurrent requests compete for the limit, so one may need several retries. */
const MAX_RETRIES = 20

/**
 * Retries after a 429 as it asks (RFC 6585, section 4; RFC 9110, section 10.2.3), since that says nothing about the
 * request. All requests wait, because the limit usually applies to the client.
 *
 * @example
 * const transport = createRetryingTransport(createHttpTransport(new URL('http://127.0.0.1:4020')))
 */
export function createRetryingTransport(
  transport: Transport,
  { now, sleep }: Clock = clockBy(Date.now),
): Transport {
  let until = 0
  let waited = 0

  /** Delays all further requests; false if that would exceed a limit. */
  function putOff(ms: number): boolean {
    const begin = Math.max(now(), until)
    const more = Math.max(0, now() + ms - begin)
    if (ms > MAX_WAIT_MS || waited + more > MAX_TOTAL_WAIT_MS) return false
    waited += more
    until = begin + more
    return true
  }

  async function sent(...[request, signal]: Parameters<Transport['send']>): Promise<HttpResponse> {
    const ms = until - now()
    if (ms > 0) await sleep(ms, signal)
    return transport.send(request, signal)
  }

  return {
    async send(request, signal) {
      const first = await sent(request, signal)
      let last = first
      for (let time = 0; time < MAX_RETRIES && last.status === 429; time++) {
        if (!putOff(retryAfter(last, now()))) break
        last = await sent(request, signal)
      }
      return last === first ? first : { ...last, limited: first }
    },
    close: () => transport.close(),
  }
}

/** `Retry-After` in milliseconds; it is a number of seconds or a date. */
function retryAfter({ headers }: HttpResponse, now: number): number {
  const text = headerOf(headers, 'retry-after') ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(ms) ? DEFAULT_WAIT_MS : Math.max(0, ms)
}

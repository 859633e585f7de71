import { setTimeout as sleep } from 'node:timers/promises'
import type { ReceivedResponse } from '../history.ts'
import { MOST_AT_ONCE, noResponseReason, type Transport } from './transport.ts'

/** The time and waiting, which tests replace. */
export interface Timer {
  /** Milliseconds since 1970. */
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<unknown>
}

const REAL: Timer = {
  now: Date.now,
  // An ended wait is followed by a request that is not sent.
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
}

export type RateLimit = ReturnType<typeof createRateLimit>

/** Milliseconds between requests after the first 429, and after many. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000
/** What remains of the pause with each response that is no 429. */
const RECOVERY = 0.9

/** Wait after a 429 without `retry-after`, the longest wait, and the waits of a whole run. */
const DEFAULT_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000
const MAX_TOTAL_WAIT_MS = 300_000

/**
 * When requests may be sent: by a rate, and after a 429 as the service asks.
 *
 * @param perSecond Requests per second, evenly spaced. Default: any number.
 */
export function createRateLimit(perSecond?: number, { now, sleep }: Timer = REAL) {
  const spacing = perSecond === undefined ? 0 : 1000 / perSecond
  let next = 0
  let until = 0
  let waited = 0
  /** Milliseconds between requests besides the rate, since the service has refused some with 429. */
  let pause = 0
  return {
    /** Waits for the turn of a request. */
    async turn(signal: AbortSignal): Promise<void> {
      const at = Math.max(now(), next, until)
      next = at + spacing + pause
      const ms = at - now()
      if (ms > 0) await sleep(ms, signal)
    },
    /**
     * Delays all further requests after a 429, because the limit usually applies to the client.
     * Returns whether the request may be sent again.
     */
    putOff({ headers }: ReceivedResponse): boolean {
      // Requests that were on their way at the same time may all be refused.
      const isFirst = now() >= until
      if (isFirst) pause = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pause))

      const ms = retryAfter(headers['retry-after'], now())
      if (ms > MAX_WAIT_MS) return false

      // Another 429 may have put off all requests already, and only what comes on top counts.
      const begin = Math.max(now(), until)
      const more = Math.max(0, now() + ms - begin)
      if (waited + more > MAX_TOTAL_WAIT_MS) return false

      waited += more
      until = begin + more
      return true
    },
    /** A response that is no 429: requests may come faster again. */
    goOn(): void {
      pause = pause < 1 ? 0 : pause * RECOVERY
    },
  }
}

/** Lets so many requests be on their way at the same time. The others wait in order. */
export function createGate(most = MOST_AT_ONCE) {
  const waiting: (() => void)[] = []
  let open = most
  return {
    async enter(): Promise<void> {
      if (open > 0) {
        open--
        return
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    },
    leave(): void {
      const next = waiting.shift()
      if (next) next()
      else open++
    },
  }
}

/** Milliseconds from which responses take long, and the number of responses that decide. */
const SLOW_MS = 150
const RECENT = 20
const FEWEST = 5

/** How long the last responses took. */
export function createLatency() {
  let recent: readonly number[] = []
  return {
    note(ms: number): void {
      recent = [...recent, ms].slice(-RECENT)
    },
    /** Whether half of them took long, so that independent requests had better not wait. */
    isSlow(): boolean {
      const slow = recent.filter((ms) => ms >= SLOW_MS).length
      return recent.length >= FEWEST && 2 * slow > recent.length
    },
  }
}

/**
 * `Retry-After` in milliseconds; it is a number of seconds or a date (RFC 9110, section 10.2.3).
 */
function retryAfter(header: string | readonly string[] | undefined, now: number): number {
  const text = String(header ?? '')
  const isSeconds = /^\d{1,9}$/.test(text)
  const ms = isSeconds ? Number(text) * 1_000 : Date.parse(text) - now
  if (Number.isNaN(ms)) return DEFAULT_WAIT_MS
  return Math.max(0, ms)
}

/**
 * Consecutive requests without a response. A single operation gets a higher limit, since it alone
 * may be broken.
 */
const MAX_OF_SEVERAL = 20
const MAX_OF_ONE = 60
/**
 * Milliseconds without a complete response, while requests wait for one: longer than one request
 * may take.
 */
const MAX_IDLE_MS = 15_000

/**
 * Characters of all responses, ten times as many as usual. More would take up the memory of this
 * machine.
 */
const MOST_CHARACTERS = 100_000_000

/**
 * Reports if a service stops responding, since each further request may take until its timeout; or
 * if it sends too much.
 */
export function withCircuitBreaker(
  transport: Transport,
  onOpen: (reason: string) => void,
  maxIdleMs = MAX_IDLE_MS,
): Transport {
  const missed: string[] = []
  let pending = 0
  let since = 0
  let characters = 0
  /** Milliseconds before the pending requests. Between requests, no time passes. */
  let idle = 0

  function report(): void {
    if (performance.now() - since >= maxIdleMs)
      onOpen(`no request got a complete response for ${maxIdleMs} ms`)
  }

  function countCharacters({ text }: ReceivedResponse): void {
    characters += text.length
    if (characters > MOST_CHARACTERS)
      onOpen(`the responses have more than ${MOST_CHARACTERS / 1e6} million characters in all`)
  }

  function miss(request: string, reason: string): void {
    missed.push(request)
    const { length } = missed
    const isOfSeveral = new Set(missed).size > 1
    const isTooOften = length === MAX_OF_ONE || (isOfSeveral && length >= MAX_OF_SEVERAL)
    if (isTooOften) onOpen(`the last ${length} requests ${reason}`)
  }

  return async (request, signal) => {
    const key = `${request.method} ${placeOf(request.path)}`
    const began = performance.now()
    if (pending === 0) since = began - idle
    pending++
    // A timer can be early by a millisecond.
    const timer = setTimeout(report, Math.max(0, since + maxIdleMs - began + 1))
    try {
      const response = await transport(request, signal)
      since = performance.now()
      countCharacters(response)
      // A refusal by a rate limit says nothing about the request, so it counts as no response.
      if (response.status === 429) miss(key, `got no response, or were refused with 429; ${SLOWER}`)
      else missed.length = 0
      return response
    } catch (error) {
      if (!signal.aborted) miss(key, `got no response: ${noResponseReason(error)}`)
      throw error
    } finally {
      clearTimeout(timer)
      pending--
      idle = performance.now() - since
    }
  }
}

/** What to do about many refusals with 429. */
export const SLOWER = 'set a lower --rate, such as --rate 2'

/** A path without its query and its ids. */
function placeOf(path: string): string {
  const [place = ''] = path.split('?', 1)
  const words = place.split('/').filter((segment) => !/\d/.test(segment))
  return words.join('/')
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { ReceivedResponse } from '../history.ts'
import { MAX_CONCURRENT, noResponseReason, type Transport } from './transport.ts'

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

/** The pause between requests after the first 429, and after many. */
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 2_000
/** The part of the pause that remains after each response that is no 429. */
const PAUSE_RECOVERY = 0.9

/** The wait after a 429 without `retry-after`, the longest wait, and the sum of all waits of a run. */
const DEFAULT_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000
const MAX_TOTAL_WAIT_MS = 300_000

/**
 * Creates the limit of when requests may be sent: by a rate, and after a 429 as the service asks. Each request
 * waits for its `turn`. After a 429 with `retry-after: 2`, `putOff` lets no request go for two seconds.
 *
 * @param perSecond Requests per second, evenly spaced. Default: any number.
 */
export function createRateLimit(perSecond?: number, { now, sleep }: Timer = REAL) {
  const spacingMs = perSecond === undefined ? 0 : 1000 / perSecond
  /** When the next request may be sent by the rate, and by the last 429. */
  let nextAt = 0
  let putOffUntil = 0
  /** The sum of all waits after a 429. */
  let totalWaitMs = 0
  /** The pause between requests besides the rate, since the service has refused some with 429. */
  let pauseMs = 0

  /** Lets no request go for so long. Returns false, and changes nothing, if the run has waited too long in sum. */
  function waitFurther(waitMs: number): boolean {
    // After a 429 with two seconds, another one with five at the same time adds three.
    const beganAt = Math.max(now(), putOffUntil)
    const endsAt = Math.max(now() + waitMs, beganAt)
    const addedMs = endsAt - beganAt
    if (totalWaitMs + addedMs > MAX_TOTAL_WAIT_MS) return false

    totalWaitMs += addedMs
    putOffUntil = endsAt
    return true
  }

  return {
    /** Waits for the turn of a request. */
    async turn(signal: AbortSignal): Promise<void> {
      const turnAt = Math.max(now(), nextAt, putOffUntil)
      nextAt = turnAt + spacingMs + pauseMs
      const waitMs = turnAt - now()
      if (waitMs > 0) await sleep(waitMs, signal)
    },
    /**
     * Delays all further requests after a 429, because the limit usually applies to the client, and lengthens the
     * pauses between them. Returns whether the request may be sent again: not if that would take too long.
     */
    putOff({ headers }: ReceivedResponse): boolean {
      // Requests that were on their way at the same time may all be refused: only the first one counts.
      const isFirst = now() >= putOffUntil
      if (isFirst) pauseMs = lengthenPause(pauseMs)

      const waitMs = retryAfterMs(headers['retry-after'], now())
      return waitMs <= MAX_WAIT_MS && waitFurther(waitMs)
    },
    /** Lets requests come faster again, after a response that is no 429. */
    speedUp(): void {
      pauseMs = pauseMs < 1 ? 0 : pauseMs * PAUSE_RECOVERY
    },
  }
}

/** Doubles the pause between requests, within its limits. */
function lengthenPause(pauseMs: number): number {
  return Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs))
}

/**
 * Creates a gate that lets at most `maxConcurrent` requests be on their way at the same time. `enter` waits
 * for a free place, in the order of the calls, and `leave` frees it.
 */
export function createGate(maxConcurrent = MAX_CONCURRENT) {
  const waiting: (() => void)[] = []
  let openPlaces = maxConcurrent
  return {
    async enter(): Promise<void> {
      if (openPlaces > 0) {
        openPlaces--
        return
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    },
    leave(): void {
      // The next one takes over the place.
      const next = waiting.shift()
      if (next) next()
      else openPlaces++
    },
  }
}

/** A response is slow from so many milliseconds on. The last ones decide, if there are enough. */
const SLOW_MS = 150
const MAX_RECENT = 20
const MIN_RECENT = 5

/** Creates the record of how long the last responses took: `note` adds one, `isSlow` judges them. */
export function createLatency() {
  let recent: readonly number[] = []
  return {
    note(ms: number): void {
      recent = [...recent, ms].slice(-MAX_RECENT)
    },
    /** Whether more than half of them took long, so that independent requests had better not wait. */
    isSlow(): boolean {
      const slowCount = recent.filter((ms) => ms >= SLOW_MS).length
      const areEnough = recent.length >= MIN_RECENT
      return areEnough && slowCount > recent.length / 2
    },
  }
}

/**
 * `Retry-After` in milliseconds; it is a number of seconds or a date (RFC 9110, section 10.2.3).
 */
function retryAfterMs(header: string | readonly string[] | undefined, now: number): number {
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
const MAX_CHARACTERS = 100_000_000

/**
 * Reports if a service stops responding, since each further request may take until its timeout; or
 * if it sends too much.
 */
export function withCircuitBreaker(
  transport: Transport,
  onOpen: (reason: string) => void,
  maxIdleMs = MAX_IDLE_MS,
): Transport {
  /** The last consecutive requests without a response. */
  const missedRequests: string[] = []
  /** When the last 429 came. */
  let limitedAt = 0
  let pending = 0
  /** When the service last responded. Time without a pending request does not count. */
  let lastResponseAt = 0
  let characters = 0
  /** Milliseconds without a response before the pending requests were sent. */
  let idleMs = 0

  /** Reports that no response has come for too long. */
  function reportIdleness(): void {
    if (performance.now() - lastResponseAt >= maxIdleMs)
      onOpen(`no request got a complete response for ${maxIdleMs} ms`)
  }

  function countCharacters({ text }: ReceivedResponse): void {
    characters += text.length
    if (characters > MAX_CHARACTERS)
      onOpen(`the responses have more than ${MAX_CHARACTERS / 1e6} million characters in all`)
  }

  /**
   * Counts a request without a response, and reports if there are too many in a row. If all are the same request,
   * more are allowed, and that is reported once: its operation alone may be broken.
   */
  function countMissed(request: string, reason: string): void {
    missedRequests.push(request)
    const count = missedRequests.length
    const isOfSeveral = new Set(missedRequests).size > 1
    const isTooOften = isOfSeveral ? count >= MAX_OF_SEVERAL : count === MAX_OF_ONE
    if (isTooOften) onOpen(`the last ${count} requests ${reason}`)
  }

  /**
   * Counts a refusal by a rate limit, which says nothing about the request, as no response. Of several
   * that were on their way at the same time, only the first one counts.
   */
  function countLimited(request: string, startedAt: number): void {
    const isOfSameBurst = startedAt < limitedAt
    limitedAt = performance.now()
    if (!isOfSameBurst) countMissed(request, `got no response, or were refused with 429; ${SLOWER}`)
  }

  return async (request, signal) => {
    const key = `${request.method} ${removeIds(request.path)}`
    const startedAt = performance.now()
    if (pending === 0) lastResponseAt = startedAt - idleMs
    pending++
    // A timer can be early by a millisecond.
    const timer = setTimeout(
      reportIdleness,
      Math.max(0, lastResponseAt + maxIdleMs - startedAt + 1),
    )
    try {
      const response = await transport(request, signal)
      lastResponseAt = performance.now()
      countCharacters(response)
      if (response.status === 429) countLimited(key, startedAt)
      else missedRequests.length = 0
      return response
    } catch (error) {
      if (!signal.aborted) countMissed(key, `got no response: ${noResponseReason(error)}`)
      throw error
    } finally {
      clearTimeout(timer)
      pending--
      idleMs = performance.now() - lastResponseAt
    }
  }
}

/** What to do about many refusals with 429. */
export const SLOWER = 'set a lower --rate, such as --rate 2'

/** Writes a path without its query and its ids. */
function removeIds(path: string): string {
  const [place = ''] = path.split('?', 1)
  const words = place.split('/').filter((segment) => !/\d/.test(segment))
  return words.join('/')
}

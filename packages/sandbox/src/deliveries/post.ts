import { deliverySettings } from '../behaviour.ts'
import type { Delivery, Posted } from './attempt.ts'
import { createLookup, type Lookup, type Open, openSocket } from './dial.ts'
import type { DeliveryLimits } from './in-progress.ts'
import { DeliveryFailure } from './outcome.ts'
import { readTarget, type TargetPolicy } from './url.ts'

/** Maximum concurrent connections per origin. */
const PER_ORIGIN = 4

export interface PosterOptions extends TargetPolicy {
  /** Resolves names; default {@link createLookup}. */
  lookup?: Lookup
  /** Opens sockets to addresses that were checked; default {@link openSocket}. */
  open?: Open
  /** Milliseconds from the start of an attempt to the response headers; default 15,000. */
  timeoutMs?: number
  /** Maximum concurrent connections in total; default 512. */
  total?: number
}

export type Poster = ReturnType<typeof createPoster>

/**
 * Creates what sends deliveries to webhooks. Any 2xx within 15 s is a success, and redirects are not
 * followed. This is the assumption to the open question `delivery` (Standard Webhooks 1.0.0,
 * deliverability and reliability).
 *
 * Each attempt has its own connection. One that is kept alive could cost an attempt, when the
 * receiver closes it at the wrong moment.
 */
export function createPoster(options: PosterOptions = {}) {
  const {
    lookup = createLookup(),
    open = openSocket,
    timeoutMs = deliverySettings().timeoutMs,
    total = 512,
  } = options
  const limits: DeliveryLimits = { perOrigin: PER_ORIGIN, total }
  const running = new Map<AbortController, Promise<Posted>>()
  let isClosed = false

  return {
    /** How many deliveries the caller may post at the same time. */
    limits,
    /**
     * Sends a delivery once. Never rejects. Resolves with the outcome when the connection is
     * closed.
     *
     * @param cut ends the attempt; its reason is a {@link DeliveryFailure}
     */
    async post(delivery: Delivery, cut = new AbortController()): Promise<Posted> {
      // Loaded on first use: the HTTP client takes a quarter of the start time, and a sandbox
      // without webhooks needs none.
      const { attempt, undelivered } = await import('./attempt.ts')
      if (isClosed) return { outcome: undelivered(stopping(), 0) }

      // The rules for URLs may have changed since the webhook was registered.
      const target = readTarget(delivery.url, options)
      if ('detail' in target) {
        const failure = new DeliveryFailure('target_not_allowed', target.detail)
        return { outcome: undelivered(failure, 0) }
      }

      const posted = attempt(target, delivery, { lookup, open, timeoutMs }, cut)
      running.set(cut, posted)
      return posted.finally(() => running.delete(cut))
    },
    /**
     * Refuses new deliveries, and resolves when none is in progress. Those that take longer than
     * `graceMs` are cut, with the reason `closed`.
     */
    async close(graceMs = 0): Promise<void> {
      isClosed = true
      const timer = setTimeout(() => {
        for (const cut of running.keys()) cut.abort(stopping())
      }, graceMs)
      await Promise.all(running.values())
      clearTimeout(timer)
    },
  }
}

function stopping(): DeliveryFailure {
  return new DeliveryFailure('closed', 'the sandbox is stopping')
}

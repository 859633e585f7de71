import { DELIVERIES } from '../behaviour.ts'
import type { AttemptSettings, Delivery } from './attempt.ts'
import { createLookup, type Lookup, type Open, openSocket } from './dial.ts'
import type { FlightLimits } from './flights.ts'
import { DeliveryFailure, isStopping, type Outcome } from './outcome.ts'
import { readTarget, type TargetPolicy } from './url.ts'

/** Options of {@link createPoster}. */
export interface PosterOptions extends TargetPolicy {
  /** Resolves names; default {@link createLookup}. */
  lookup?: Lookup
  /** Opens sockets to addresses that were checked; default {@link openSocket}. */
  open?: Open
  /** Milliseconds from the start of an attempt to the response headers; default 15,000. */
  timeoutMs?: number
  /** Maximum bytes read of a response, for headers and body each; default 16,384. */
  maxResponseBytes?: number
  /** Maximum concurrent connections per origin; default 4. */
  perOrigin?: number
  /** Maximum concurrent connections in total; default 512. */
  total?: number
  /** A monotonic clock in milliseconds, for durations; default `performance.now`. */
  clock?: () => number
}

/** Posts deliveries to allowed targets. */
export interface Poster {
  /** How many deliveries the caller may post at the same time. */
  readonly limits: FlightLimits
  /**
   * Attempts a delivery once. Never rejects. Resolves when the connection is closed.
   *
   * @param signal ends the attempt; its reason is a {@link DeliveryFailure}
   */
  post(delivery: Delivery, signal?: AbortSignal): Promise<Outcome>
  /**
   * Refuses new deliveries, and resolves when none is in progress. Those still in progress after `graceMs`
   * (default 0) are cut, as `closed`.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Creates a poster. The assumption to the open question `delivery` is: any 2xx within 15 s is a success, and redirects
 * are not followed (Standard Webhooks 1.0.0, deliverability and reliability). The response headers decide the outcome.
 * Of the body, only enough is read to let the receiver finish writing, and it is never decompressed.
 *
 * Each attempt has its own connection. A kept-alive one would save a handshake, but could cost an attempt when the
 * receiver closes it at the wrong moment, and idle connections would need a limit as well.
 */
export function createPoster(options: PosterOptions = {}): Poster {
  const settings = settingsOf(options)
  const running = new Map<AbortController, Promise<void>>()
  let closed = false

  return {
    limits: settings,
    async post(delivery, signal) {
      const { startAttempt, undelivered } = await loadAttempts()
      try {
        if (closed) throw isStopping()
        const target = readTarget(delivery.url, options)
        if ('detail' in target) throw new DeliveryFailure('target_not_allowed', target.detail)
        const cut = new AbortController()
        const { outcome, ended } = startAttempt(target, delivery, settings, cut)
        signal?.addEventListener('abort', () => cut.abort(signal.reason))
        if (signal?.aborted) cut.abort(signal.reason)
        running.set(cut, ended)
        // Its connection counts until it is closed.
        await ended
        running.delete(cut)
        return await outcome
      } catch (error) {
        return undelivered(error, 0)
      }
    },
    async close(graceMs = 0) {
      closed = true
      const timer = setTimeout(() => {
        for (const cut of running.keys()) cut.abort(isStopping())
      }, graceMs)
      await Promise.all(running.values())
      clearTimeout(timer)
    },
  }
}

/**
 * Loaded on first use: the HTTP client takes a quarter of the start time, and a sandbox without webhooks needs none.
 */
function loadAttempts(): Promise<typeof import('./attempt.ts')> {
  return import('./attempt.ts')
}

function settingsOf(options: PosterOptions): AttemptSettings & FlightLimits {
  return {
    lookup: options.lookup ?? createLookup(),
    open: options.open ?? openSocket,
    timeoutMs: options.timeoutMs ?? DELIVERIES.timeout,
    maxResponseBytes: options.maxResponseBytes ?? 16_384,
    clock: options.clock ?? (() => performance.now()),
    perKey: options.perOrigin ?? 4,
    total: options.total ?? 512,
  }
}

import { DELIVERIES } from '../behaviour.ts'
import type { AttemptSettings, Delivery } from './attempt.ts'
import { type Open, openSocket } from './dial.ts'
import { createGate, type GateLimits } from './gate.ts'
import { createLookup, type Lookup } from './lookup.ts'
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
  /** Maximum deliveries that wait for a connection; default 1,000. */
  waiting?: number
  /** A monotonic clock in milliseconds, for durations; default `performance.now`. */
  clock?: () => number
}

/** Posts deliveries to allowed targets. */
export interface Poster {
  /** Concurrent connections; further deliveries wait. */
  readonly limits: Pick<GateLimits, 'perKey' | 'total'>
  /**
   * Attempts a delivery once. Never rejects. It first waits for a free connection; the timeout starts after that.
   *
   * @param signal ends the attempt; its reason is a {@link DeliveryFailure}
   */
  post(delivery: Delivery, signal?: AbortSignal): Promise<Outcome>
  /**
   * Refuses new and waiting deliveries, and resolves when none is in progress. Those still in progress after `graceMs`
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
  const gate = createGate(settings)
  const running = new Map<AbortController, Promise<void>>()
  let closed = false

  const attempt = async (
    delivery: Delivery,
    { startAttempt }: Attempts,
    signal?: AbortSignal,
  ): Promise<Outcome> => {
    const target = readTarget(delivery.url, options)
    if ('detail' in target) throw new DeliveryFailure('target_not_allowed', target.detail)
    const leave = await gate.enter(target.url.origin, signal)
    const cut = new AbortController()
    const { outcome, ended } = startAttempt(target, delivery, settings, cut)
    signal?.addEventListener('abort', () => cut.abort(signal.reason))
    if (signal?.aborted) cut.abort(signal.reason) // aborted just as a connection became free
    if (closed) cut.abort(isStopping())
    running.set(cut, ended)
    void ended.then(() => running.delete(cut)).then(leave)
    return outcome
  }

  return {
    limits: settings,
    async post(delivery, signal) {
      const attempts = await loadAttempts()
      return attempt(delivery, attempts, signal).catch((error: unknown) => attempts.undelivered(error, 0))
    },
    async close(graceMs = 0) {
      closed = true
      gate.close()
      const timer = setTimeout(() => {
        for (const cut of running.keys()) cut.abort(isStopping())
      }, graceMs)
      await Promise.all(running.values())
      clearTimeout(timer)
    },
  }
}

type Attempts = typeof import('./attempt.ts')

/**
 * Loaded on first use: the HTTP client takes a quarter of the start time, and a sandbox without webhooks needs none.
 */
function loadAttempts(): Promise<Attempts> {
  return import('./attempt.ts')
}

function settingsOf(options: PosterOptions): AttemptSettings & GateLimits {
  return {
    lookup: options.lookup ?? createLookup(),
    open: options.open ?? openSocket,
    timeoutMs: options.timeoutMs ?? DELIVERIES.timeout,
    maxResponseBytes: options.maxResponseBytes ?? 16_384,
    clock: options.clock ?? (() => performance.now()),
    perKey: options.perOrigin ?? 4,
    total: options.total ?? 512,
    waiting: options.waiting ?? 1_000,
  }
}

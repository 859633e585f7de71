import { DELIVERIES } from '../behaviour.ts'
import type { AttemptSettings, Delivery } from './attempt.ts'
import { type Open, openSocket } from './dial.ts'
import { createGate, type GateLimits } from './gate.ts'
import { createLookup, type Lookup } from './lookup.ts'
import { DeliveryFailure, isStopping, type Outcome } from './outcome.ts'
import { readTarget, type TargetPolicy } from './url.ts'

/** How {@link createPoster} delivers. */
export interface PosterOptions extends TargetPolicy {
  /** Resolves names; default {@link createLookup}. */
  lookup?: Lookup
  /** Opens sockets to addresses that were judged; default {@link openSocket}. */
  open?: Open
  /** From the start of an attempt to the headers of the answer, in milliseconds; default 15,000. */
  timeoutMs?: number
  /** How much of an answer is read, headers and body each, in bytes; default 16,384. */
  maxAnswerBytes?: number
  /** Connections at a time to one origin; default 4. */
  perOrigin?: number
  /** Connections at a time in all; default 512. */
  total?: number
  /** Deliveries that may wait for a connection; default 1,000. */
  waiting?: number
  /** A monotonic clock in milliseconds, for durations; default `performance.now`. */
  clock?: () => number
}

/** Posts deliveries to where they may go. */
export interface Poster {
  /** Connections at a time; what is posted beyond them waits. */
  readonly limits: Pick<GateLimits, 'perKey' | 'total'>
  /**
   * Attempts a delivery once. Never rejects. Waits for a free connection first; the time limit begins when
   * there is one.
   *
   * @param signal ends the attempt; its reason is a {@link DeliveryFailure}
   */
  post(delivery: Delivery, signal?: AbortSignal): Promise<Outcome>
  /**
   * Takes no more, turns away those that wait, and ends when none is under way; what still is after
   * `graceMs` (default 0) is cut, as `closed`.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Makes a poster. By the contract's answer to the open question `delivery`, any 2xx within 15 s is success and
 * redirects are not followed (Standard Webhooks 1.0.0, deliverability and reliability). The headers are the
 * answer: what its body does afterwards changes nothing, and of the body no more is read than lets a receiver
 * finish writing. It is never decompressed.
 *
 * Each attempt has a connection of its own. One kept open would save a handshake; but a receiver that closes it
 * at the wrong moment would cost an attempt, and idle ones would have to be bounded as well.
 *
 * @example
 * const poster = createPoster({ allowLoopback: true })
 * const outcome = await poster.post({ url: 'http://127.0.0.1:3000/pix', headers: {}, body: '{}' })
 * console.log(outcome.ok ? outcome.status : outcome.reason)
 * await poster.close()
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
    if (signal?.aborted) cut.abort(signal.reason) // the place came free just then
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

/** Not loaded above: its client of HTTP takes a quarter of the start, and a sandbox without webhooks needs none. */
function loadAttempts(): Promise<Attempts> {
  return import('./attempt.ts')
}

function settingsOf(options: PosterOptions): AttemptSettings & GateLimits {
  return {
    lookup: options.lookup ?? createLookup(),
    open: options.open ?? openSocket,
    timeoutMs: options.timeoutMs ?? DELIVERIES.timeout,
    maxAnswerBytes: options.maxAnswerBytes ?? 16_384,
    clock: options.clock ?? (() => performance.now()),
    perKey: options.perOrigin ?? 4,
    total: options.total ?? 512,
    waiting: options.waiting ?? 1_000,
  }
}

/**
 * Why a delivery did not succeed. The list may grow; its words do not change.
 *
 * - `status` an answer that is neither 2xx nor 3xx
 * - `redirect` an answer 3xx, which is not followed
 * - `timeout` no answer in time
 * - `refused` nothing listens there
 * - `unreachable` no way there
 * - `reset` the connection ended before an answer
 * - `dns` the name did not resolve
 * - `tls` no secure connection: a certificate that is not trusted, or no TLS at all
 * - `protocol` an answer that is not HTTP/1.1
 * - `answer_too_large` headers of the answer beyond the limit
 * - `target_not_allowed` a URL, or an address behind its name, that deliveries do not go to
 * - `reserved_name` a name for documentation and tests, behind which nobody is
 * - `busy` not attempted: too many deliveries wait already
 * - `closed` the poster was closed before an answer
 * - `fault` not attempted: a fault rule failed it
 * - `abandoned` the state was reset before a response
 * - `internal` a fault of the sandbox
 */
export const reasons = [
  'status',
  'redirect',
  'timeout',
  'refused',
  'unreachable',
  'reset',
  'dns',
  'tls',
  'protocol',
  'answer_too_large',
  'target_not_allowed',
  'reserved_name',
  'busy',
  'closed',
  'abandoned',
  'fault',
  'internal',
] as const

/** One of {@link reasons}. */
export type Reason = (typeof reasons)[number]

/** A delivery that a receiver has taken: any 2xx in time (Standard Webhooks 1.0.0, deliverability). */
export interface Delivered {
  ok: true
  /** The status of the answer, 200 to 299. */
  status: number
  /** Milliseconds from the start of the attempt to the headers of the answer, whole. */
  durationMs: number
}

/** A delivery that nobody has taken, as far as can be told. */
export interface Undelivered {
  ok: false
  reason: Reason
  /** The status of the answer, where one came. */
  status?: number
  /** What happened, for people; it quotes nothing of the answer and no part of the URL but the name. */
  detail: string
  /** Milliseconds from the start of the attempt to its end, whole. */
  durationMs: number
}

/** What became of one attempt. */
export type Outcome = Delivered | Undelivered

/** An attempt that failed before an answer came; turned into an {@link Undelivered} by the poster. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  readonly reason: Reason

  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The failure of a delivery that a reset of the state ends. */
export function abandonedFailure(): DeliveryFailure {
  return new DeliveryFailure('abandoned', 'the state was reset before a response')
}

/** The failure of what is given up because the sandbox stops. */
export function isStopping(): DeliveryFailure {
  return new DeliveryFailure('closed', 'the sandbox is stopping')
}

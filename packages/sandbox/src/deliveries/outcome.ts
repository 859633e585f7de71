/** Why a delivery did not succeed. The list may grow; its words do not change. */
export const REASONS = [
  'status', // the response is neither 2xx nor 3xx
  'redirect', // the response is 3xx, which is not followed
  'timeout', // no response in time
  'refused', // connection refused
  'unreachable', // no route to the host
  'reset', // the connection ended before a response
  'dns', // the name did not resolve
  'tls', // no secure connection: an untrusted certificate, or no TLS at all
  'protocol', // the response is not HTTP/1.1
  'answer_too_large', // the response headers exceed the limit
  'target_not_allowed', // the URL, or an address of its name, is not allowed
  'reserved_name', // the name is reserved for documentation and tests
  'closed', // the poster was closed before a response
  'abandoned', // the state was reset before a response
  'fault', // not sent: a fault rule failed it
  'internal', // a bug in the sandbox
] as const

export type Reason = (typeof REASONS)[number]

/**
 * A successful delivery: the receiver returned 2xx in time (Standard Webhooks 1.0.0,
 * deliverability).
 */
export interface Delivered {
  ok: true
  /** Status of the response, 200 to 299. */
  status: number
  /** Whole milliseconds from the start of the attempt to the response headers. */
  durationMs: number
}

/** A failed delivery. The receiver may still have processed it. */
export interface Undelivered {
  ok: false
  reason: Reason
  /** Status of the response, if one arrived. */
  status?: number
  /**
   * What happened, for people. It quotes nothing of the response, and only the host name of the
   * URL.
   */
  detail: string
  /** Whole milliseconds from the start of the attempt to its end. */
  durationMs: number
}

export type Outcome = Delivered | Undelivered

/**
 * Thrown when an attempt fails before a response arrives. The poster converts it to {@link
 * Undelivered}.
 */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  readonly reason: Reason

  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

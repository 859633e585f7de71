/**
 * An event as it is delivered: the body of a delivery, parsed.
 *
 * Standard Webhooks 1.0.0, "Payload structure".
 *
 * @example
 * const event: WebhookEvent = { type: 'qrcode.paid', timestamp: '2026-11-02T14:30:04Z', data: {} }
 */
export type WebhookEvent = {
  /** What happened, its parts divided by full stops. */
  type: string
  /** When it happened (RFC 3339), however often and late it is delivered. */
  timestamp: string
  /** The record after the event. */
  data: unknown
}

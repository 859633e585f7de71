import type {
  QrCodeCancelledEvent,
  QrCodePaidEvent,
  TransferRejectedEvent,
  TransferSettledEvent,
} from '@partner-payments/spec'

/**
 * An event as it is delivered: the body of a delivery, parsed. Its `type` tells which record `data` holds.
 *
 * These four are an assumption about the open question `event-kinds`: the service may send others, so let a `switch`
 * have a default that does nothing.
 *
 * Standard Webhooks 1.0.0, "Payload structure".
 *
 * @example
 * declare const event: WebhookEvent
 * if (event.type === 'transfer.settled') console.log(event.data.end_to_end_id)
 */
export type WebhookEvent =
  | TransferSettledEvent
  | TransferRejectedEvent
  | QrCodePaidEvent
  | QrCodeCancelledEvent

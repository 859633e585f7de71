import type {
  QrCodeCancelledEvent,
  QrCodePaidEvent,
  TransferRejectedEvent,
  TransferSettledEvent,
} from '@partner-payments/spec'

/**
 * The parsed body of a delivery. Its `type` determines the record in `data`.
 *
 * The four types are an assumption (open question `event-kinds`). The service may send others, so
 * give a `switch` a default that does nothing.
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

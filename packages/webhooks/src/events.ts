import type { webhooks } from '@partner-payments/spec'

/**
 * The parsed body of a delivery: one of the events of the contract. Its `type` determines the
 * record in `data`.
 *
 * The types are an assumption (open question `event-kinds`). The service may send others, so give a
 * `switch` a default that does nothing.
 *
 * Standard Webhooks 1.0.0, "Payload structure".
 *
 * @example
 * declare const event: WebhookEvent
 * if (event.type === 'transfer.settled') console.log(event.data.end_to_end_id)
 */
export type WebhookEvent = EventRequest['requestBody']['content']['application/json']

/** The requests that the service sends, as the contract declares them. */
type EventRequest = webhooks[keyof webhooks]['post']

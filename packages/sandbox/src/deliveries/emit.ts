import type { WebhookEvent } from '@partner-payments/webhooks'
import type { Context } from '../context.ts'
import { alphanumeric } from '../random.ts'
import { bind, inOneTrip, insertion, type Queries } from '../store/store.ts'
import { timestamp } from '../time.ts'

/** The record that the event is about, and the partner that it belongs to. */
interface Subject {
  readonly partner_id: string
  readonly id: string
  readonly data: WebhookEvent['data']
}

/**
 * Writes an event, and a delivery for every subscribed webhook, in the transaction of `queries`: a
 * change and its event are stored together or not at all. The body is fixed here, so every attempt
 * sends the same bytes.
 */
export async function emit(
  queries: Queries,
  { now, random }: Pick<Context, 'now' | 'random'>,
  type: WebhookEvent['type'],
  { partner_id, id: record_id, data }: Subject,
): Promise<void> {
  const event = {
    id: `msg_${alphanumeric(random, 22)}`,
    partner_id,
    type,
    record_id,
    body: JSON.stringify({ type, timestamp: timestamp(now()), data }),
    created_at: now(),
  }
  // Webhooks subscribe to the kind of a record: `transfer.settled` is of the kind `transfer`.
  const [kind = ''] = type.split('.')
  const deliver = bind(DELIVER, { event_id: event.id, due_at: now(), partner_id, kind })
  await inOneTrip([queries.run(...insertion('events', event)), queries.run(...deliver)])
}

const DELIVER = `
  INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
  SELECT :event_id, id, 'pending', :due_at, lane FROM webhooks
  WHERE partner_id = :partner_id
    AND status = 'active' AND deleted_at IS NULL AND type IN ('all', :kind)
  ORDER BY position`

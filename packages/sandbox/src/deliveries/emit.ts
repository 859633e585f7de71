import type { WebhookEvent } from '@partner-payments/webhooks'
import type { Context } from '../context.ts'
import { alphanumeric } from '../random.ts'
import { inOneTrip, insertion, type Queries } from '../store/store.ts'
import { timestamp } from '../time.ts'

/** The record that the event is about. */
type Subject = Readonly<{ partner_id: string; id: string; data: WebhookEvent['data'] }>

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
  const id = `msg_${alphanumeric(random, 22)}`
  const body = JSON.stringify({ type, timestamp: timestamp(now()), data })
  const [kind = ''] = type.split('.')
  await inOneTrip([
    queries.run(
      ...insertion('events', { id, partner_id, type, record_id, body, created_at: now() }),
    ),
    queries.run(DELIVER, [id, now(), partner_id, kind]),
  ])
}

const DELIVER = `
  INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
  SELECT ?, id, 'pending', ?, lane FROM webhooks
  WHERE partner_id = ? AND status = 'active' AND deleted_at IS NULL AND type IN ('all', ?)
  ORDER BY position`

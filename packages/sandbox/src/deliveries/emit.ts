import type { WebhookEvent } from '@partner-payments/webhooks'
import type { Context } from '../context.ts'
import { alphanumeric } from '../random.ts'
import type { Queries } from '../store/store.ts'
import { timestamp } from '../time.ts'

interface Told {
  readonly partner_id: string
  /** The record that the event is about. */
  readonly id: string
  readonly data: WebhookEvent['data']
}

/**
 * Writes an event, and a delivery for every webhook that asked for it, in the transaction of `queries`: what moved the
 * money tells it, or neither happened. The body is fixed here; every attempt sends these very bytes.
 */
export async function emit(
  queries: Queries,
  { now, random }: Pick<Context, 'now' | 'random'>,
  type: WebhookEvent['type'],
  { partner_id, id: record_id, data }: Told,
): Promise<void> {
  const id = `msg_${alphanumeric(random, 22)}`
  const body = JSON.stringify({ type, timestamp: timestamp(now()), data })
  await queries.run(
    'INSERT INTO events (id, partner_id, type, record_id, body, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    [id, partner_id, type, record_id, body, now()],
  )
  const [kind = ''] = type.split('.')
  await queries.run(DELIVER, [id, now(), partner_id, kind])
}

const DELIVER = `
  INSERT INTO deliveries (event_id, webhook_id, status, due_at)
  SELECT ?, id, 'pending', ? FROM webhooks
  WHERE partner_id = ? AND status = 'active' AND deleted_at IS NULL AND type IN ('all', ?)
  ORDER BY position`

import { type EventType, listSubscribers } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { Schemas } from '../contract.ts'
import { alphanumeric } from '../random.ts'
import { insertStatement, type Queries, sendInOneTrip } from '../store/store.ts'
import { timestamp } from '../time.ts'

/** The record that an event is about, and the partner that receives it. */
export interface Subject {
  readonly partner_id: string
  readonly id: string
  readonly data:
    | Schemas['TransferData']
    | Schemas['ReceivedTransfer']
    | Schemas['ImmediateQrCode']
    | Schemas['DueDateQrCode']
}

/**
 * Writes the events of a change, and a delivery for every subscribed webhook, in the transaction of
 * `queries`: a change and its events are stored together or not at all. The body is fixed here, so
 * every attempt sends the same bytes.
 *
 * @param types the types of the events, such as `qrcode.paid`
 * @param subject the record that changed: its id, its partner, and the `data` of each event
 */
export async function emit(
  queries: Queries,
  dependencies: Pick<Context, 'now' | 'random'>,
  types: readonly EventType[],
  subject: Subject,
): Promise<void> {
  await sendInOneTrip(types.map((type) => emitOne(queries, dependencies, type, subject)))
}

/** Writes one event, and a delivery for every webhook of the partner that receives its type. */
async function emitOne(
  queries: Queries,
  { now, random }: Pick<Context, 'now' | 'random'>,
  type: EventType,
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
  const subscribers = listSubscribers(type)
  const deliver = deliveriesStatement(subscribers.length)
  const values = [event.id, now(), partner_id, ...subscribers]
  await sendInOneTrip([
    queries.run(...insertStatement('events', event)),
    queries.run(deliver, values),
  ])
}

/**
 * The SQL that adds a pending delivery for every active webhook that receives an event. Its
 * parameters are the event, the time, the partner, and `count` types of webhooks.
 */
function deliveriesStatement(count: number): string {
  const places = Array(count).fill('?').join(', ')
  return `
    INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
    SELECT ?, id, 'pending', ?, lane FROM webhooks
    WHERE partner_id = ?
      AND status = 'active' AND deleted_at IS NULL AND type IN (${places})
    ORDER BY position`
}

import type { Context } from '../context.ts'
import { notFound, Refusal } from '../problems.ts'
import type { Queries } from '../store/store.ts'
import { timestamp } from '../time.ts'
import type { Bodies } from './input.ts'

/**
 * Makes a delivery due now, whatever became of it, with all its attempts before it again; those that were made stay
 * on record.
 *
 * @throws {Refusal} `not_found`; status 409 where its webhook is inactive or deleted.
 */
export async function redeliver(
  { store, now, poke }: Context,
  { event_id, webhook_id }: Bodies['/deliveries/redeliver'],
) {
  const at = now()
  await store.write(async (queries) => {
    const made = await queries.run(AGAIN, [at, event_id, webhook_id])
    if (made === 0) await refuseDelivery(queries, [event_id, webhook_id])
  })
  poke()
  return { event_id, webhook_id, status: 'pending', due_at: timestamp(at) }
}

async function refuseDelivery(queries: Queries, values: [string, string]): Promise<never> {
  if (!(await queries.get('SELECT 1 AS found FROM deliveries WHERE event_id = ? AND webhook_id = ?', values)))
    notFound()
  throw new Refusal('invalid_request', { status: 409, detail: 'The webhook is inactive or deleted.' })
}

// An attempt that is under way keeps its claim.
const AGAIN = `
  UPDATE deliveries SET status = 'pending', due_at = ?, attempts = 0
  WHERE event_id = ? AND webhook_id = ? AND EXISTS (
    SELECT 1 FROM webhooks w WHERE w.id = deliveries.webhook_id AND w.status = 'active' AND w.deleted_at IS NULL
  )`

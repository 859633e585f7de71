import type { Queries } from '../../store/store.ts'
import { timestamp, timestampOrNull } from '../../time.ts'
import { type AttemptRow, attemptOf } from '../events.ts'
import { masked } from '../mask.ts'

type WebhookRow = {
  readonly id: string
  readonly partner_id: string
  readonly url: string
  readonly type: string
  readonly status: string
  readonly created_at: bigint
  readonly deleted_at: bigint | null
}

type DeliveryRow = {
  readonly event_id: string
  readonly type: string
  readonly status: string
  readonly due_at: bigint | null
}

/** The last webhooks, also deleted ones, each with its last deliveries and attempts, without secrets. */
export async function webhooksOf(queries: Queries) {
  const webhooks = []
  for (const { created_at, deleted_at, ...webhook } of await queries.all<WebhookRow>(WEBHOOKS)) {
    webhooks.push({
      ...webhook,
      url: masked(webhook.url),
      created_at: timestamp(created_at),
      deleted_at: timestampOrNull(deleted_at),
      deliveries: await deliveriesOf(queries, webhook.id),
    })
  }
  return webhooks
}

async function deliveriesOf(queries: Queries, webhook_id: string) {
  const deliveries = await queries.all<DeliveryRow>(DELIVERIES, [webhook_id])
  if (deliveries.length === 0) return []
  const attempts = await queries.all<AttemptRow>(ATTEMPTS, [webhook_id])
  return deliveries.map(({ due_at, ...delivery }) => ({
    ...delivery,
    due_at: timestampOrNull(due_at),
    // They are read newest first, so the limit drops the oldest.
    attempts: attempts
      .filter(({ event_id }) => event_id === delivery.event_id)
      .map(attemptOf)
      .reverse(),
  }))
}

const WEBHOOKS = `
  SELECT id, partner_id, url, type, status, created_at, deleted_at FROM webhooks ORDER BY position DESC LIMIT 50`
// Uses the expression of the index. By `position` alone, PostgreSQL would scan the newest deliveries of all webhooks.
const LAST = `
  SELECT position, event_id, webhook_id, status, due_at FROM deliveries
  WHERE webhook_id = ? ORDER BY position + 0 DESC LIMIT 20`
const DELIVERIES = `
  SELECT d.event_id, e.type, d.status, d.due_at FROM (${LAST}) d JOIN events e ON e.id = d.event_id
  ORDER BY d.position DESC`
// Twenty deliveries have up to 200 attempts. Only redelivering adds more.
const ATTEMPTS = `
  SELECT a.event_id, a.webhook_id, a.number, a.at, a.ok, a.status, a.reason, a.detail, a.duration_ms
  FROM (${LAST}) d JOIN attempts a ON a.webhook_id = d.webhook_id AND a.event_id = d.event_id
  ORDER BY a.position DESC LIMIT 400`

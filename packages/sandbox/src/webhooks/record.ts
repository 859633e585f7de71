import type { Schemas } from '../contract.ts'
import type { Queries } from '../store/store.ts'
import { timestamp, timestampOrNull } from '../time.ts'

/** A webhook in the store. */
export type WebhookRow = {
  readonly id: string
  readonly partner_id: string
  readonly url: string
  readonly type: string
  readonly status: string
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until: bigint | null
  readonly created_at: bigint
  readonly updated_at: bigint
  readonly deleted_at: bigint | null
}

/** A webhook, as the contract shows it, without its secret. */
export function webhookOf(row: WebhookRow): Schemas['Webhook'] {
  const { id, partner_id, url, type, status, created_at, updated_at, deleted_at } = row
  return {
    id,
    partner_id,
    url,
    type,
    status,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    deleted_at: timestampOrNull(deleted_at),
  }
}

/** A webhook of a partner that was not deleted. */
export function webhookById(
  queries: Queries,
  id: string,
  partner_id: string,
): Promise<WebhookRow | undefined> {
  return queries.get<WebhookRow>(`SELECT * FROM webhooks ${ONE}`, [id, partner_id])
}

export const ONE = 'WHERE id = ? AND partner_id = ? AND deleted_at IS NULL'

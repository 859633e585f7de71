import type { Handler } from '../handler.ts'
import { type WebhookRow, webhookOf } from './record.ts'

/** The webhooks of the partner, newest first. */
export const listWebhooks: Handler<'listWebhooks'> = ({ caller, context }) =>
  context.store.read(async (queries) => {
    const rows = await queries.all<WebhookRow>(OF_PARTNER, [caller.partner_id])
    return { data: rows.map(webhookOf) }
  })

const OF_PARTNER = 'SELECT * FROM webhooks WHERE partner_id = ? AND deleted_at IS NULL ORDER BY position DESC'

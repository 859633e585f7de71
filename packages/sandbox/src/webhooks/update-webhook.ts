import type { Handler } from '../handler.ts'
import { notFound } from '../problems.ts'
import { laterOf } from '../time.ts'
import { ONE, type WebhookRow, webhookOf } from './record.ts'
import { admit } from './target.ts'

/**
 * Replaces all three fields of a webhook.
 *
 * @throws {Refusal} `not_found`, `url_not_allowed`
 */
export const updateWebhook: Handler<'updateWebhook'> = async ({ body, path, caller, context }) => {
  await admit(context, body.url)
  const { url, type, status } = body
  const at = context.now()
  const values = [url, type, status, at, at, path.webhook_id, caller.partner_id]
  const row = await context.store.write((queries) => queries.get<WebhookRow>(UPDATE, values))
  return webhookOf(row ?? notFound())
}

const UPDATE = `UPDATE webhooks SET url = ?, type = ?, status = ?, updated_at = ${laterOf('updated_at')} ${ONE} RETURNING *`

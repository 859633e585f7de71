import { laneOf } from '../deliveries/lane.ts'
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
  const { partner_id } = caller
  const lane = laneOf({ partner_id, url })
  const values = [url, lane, type, status, at, at, path.webhook_id, partner_id]
  const row = await context.store.write(async (queries) => {
    const row = (await queries.get<WebhookRow>(UPDATE, values)) ?? notFound()
    await queries.run(MOVE, [lane, path.webhook_id, lane])
    return row
  })
  return webhookOf(row)
}

const UPDATE = `UPDATE webhooks SET url = ?, lane = ?, type = ?, status = ?, updated_at = ${laterOf('updated_at')} ${ONE} RETURNING *`

/** Maximum number of pending deliveries to move at once. The rest is moved when due. */
const MOVED = 1_000
const MOVE = `
  UPDATE deliveries SET lane = ? WHERE position IN (
    SELECT position FROM deliveries WHERE webhook_id = ? AND due_at IS NOT NULL ORDER BY due_at, position LIMIT ${MOVED}
  ) AND lane <> ?`

import type { Handler } from '../handler.ts'
import { notFound } from '../problems.ts'
import { laterOf } from '../time.ts'
import { ONE } from './record.ts'

/** Deletes a webhook, and drops its pending deliveries. */
export const deleteWebhook: Handler<'deleteWebhook'> = async ({ path, caller, context }) => {
  const { webhook_id } = path
  const at = context.now()
  const values = [at, at, webhook_id, caller.partner_id]
  await context.store.write(async (queries) => {
    if ((await queries.run(DELETE, values)) === 0) notFound()
    await queries.run(DROP, [webhook_id])
  })
  return undefined
}

const DELETE = `UPDATE webhooks SET deleted_at = ${laterOf('updated_at')} ${ONE}`
/** Maximum number of deliveries to drop at once. The rest is dropped when due. */
const DROPPED = 1_000
const DROP = `
  UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position IN (
    SELECT position FROM deliveries WHERE webhook_id = ? AND due_at IS NOT NULL ORDER BY due_at, position LIMIT ${DROPPED}
  )`

import { laneOf } from '../deliveries/lane.ts'
import type { Handler } from '../handler.ts'
import { uuid } from '../random.ts'
import { newSecret } from './secret.ts'
import { admit } from './target.ts'

/**
 * Registers a webhook, and returns its secret, which is not shown again.
 *
 * @throws {Refusal} `url_not_allowed`
 */
export const createWebhook: Handler<'createWebhook'> = async ({ body, caller, context }) => {
  const { url, type } = body
  await admit(context, url)
  const { partner_id } = caller
  const id = uuid(context.random)
  const secret = newSecret(context.random)
  const at = context.now()
  const values = [id, partner_id, url, type, 'active', secret, laneOf({ partner_id, url }), at, at]
  await context.store.write((queries) => queries.run(INSERT, values))
  return { id, partner_id, secret }
}

const INSERT = `
  INSERT INTO webhooks (id, partner_id, url, type, status, secret, lane, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

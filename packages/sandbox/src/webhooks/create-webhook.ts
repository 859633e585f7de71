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
  await admit(context, body.url)
  const { partner_id } = caller
  const id = uuid(context.random)
  const secret = newSecret(context.random)
  const at = context.now()
  const values = [id, partner_id, body.url, body.type, 'active', secret, at, at]
  await context.store.write((queries) => queries.run(INSERT, values))
  return { id, partner_id, secret }
}

const INSERT = `
  INSERT INTO webhooks (id, partner_id, url, type, status, secret, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

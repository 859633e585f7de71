import { DELIVERIES } from '../behaviour.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../problems.ts'
import { laterOf } from '../time.ts'
import { ONE } from './record.ts'
import { newSecret } from './secret.ts'

/** Rotates the secret of a webhook, and returns the new one, which is not shown again. Both sign for 24 hours. */
export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ path, caller, context }) => {
  const { partner_id } = caller
  const secret = newSecret(context.random)
  const at = context.now()
  const values = [at + DELIVERIES.overlap, secret, at, at, path.webhook_id, partner_id]
  const changed = await context.store.write((queries) => queries.run(ROTATE, values))
  if (changed === 0) notFound()
  return { id: path.webhook_id, partner_id, secret }
}

const ROTATE = `UPDATE webhooks SET old_secret = secret, old_secret_until = ?, secret = ?, updated_at = ${laterOf('updated_at')} ${ONE}`

import type { Handler } from '../handler.ts'
import { notFound } from '../problems.ts'
import { webhookById, webhookOf } from './record.ts'

/** A webhook of the partner. */
export const getWebhook: Handler<'getWebhook'> = ({ path, caller, context }) =>
  context.store.read(async (queries) => {
    const row = await webhookById(queries, path.webhook_id, caller.partner_id)
    return webhookOf(row ?? notFound())
  })

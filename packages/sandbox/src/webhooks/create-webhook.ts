import type { Context } from '../context.ts'
import { laneOf } from '../deliveries/lane.ts'
import type { Handler } from '../handler.ts'
import { Refusal } from '../problems.ts'
import { uuid } from '../random.ts'
import { inOneTrip, type Queries } from '../store/store.ts'
import { newSecret } from './secret.ts'
import { admit } from './target.ts'

/**
 * Registers a webhook, and returns its secret, which is not shown again.
 *
 * @throws {Refusal} `url_not_allowed`, `too_many_webhooks`
 */
export const createWebhook: Handler<'createWebhook'> = async ({ body, caller, context }) => {
  const { url, type } = body
  await admit(context, url)
  const { partner_id } = caller
  const id = uuid(context.random)
  const secret = newSecret(context.random)
  const at = context.now()
  const values = [id, partner_id, url, type, 'active', secret, laneOf({ partner_id, url }), at, at]
  await context.store.write(async (queries) => {
    await expectBelowLimit(queries, partner_id, context)
    await queries.run(INSERT, values)
  })
  return { id, partner_id, secret }
}

const INSERT = `
  INSERT INTO webhooks (id, partner_id, url, type, status, secret, lane, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Locks the partner until the transaction ends, so that concurrent creations cannot exceed the limit together. */
async function expectBelowLimit(
  queries: Queries,
  partner_id: string,
  { store, maxWebhooks }: Context,
): Promise<void> {
  // SQLite runs one transaction at a time.
  const lock = store.backend === 'sqlite' ? '' : ' FOR NO KEY UPDATE'
  const [, row] = await inOneTrip([
    queries.get(`SELECT id FROM partners WHERE id = ?${lock}`, [partner_id]),
    queries.get<{ count: bigint }>(COUNT, [partner_id]),
  ])
  if (Number(row?.count) < maxWebhooks) return
  const detail = `The partner already has ${row?.count} webhooks. It can have ${maxWebhooks} at a time; delete one first.`
  throw new Refusal('too_many_webhooks', { detail })
}

const COUNT = 'SELECT count(*) AS count FROM webhooks WHERE partner_id = ? AND deleted_at IS NULL'

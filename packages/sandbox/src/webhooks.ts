import { DELIVERIES } from './behaviour.ts'
import type { Context } from './context.ts'
import type { Schemas } from './contract.ts'
import { laneOf } from './deliveries/flights.ts'
import type { Handler } from './handler.ts'
import { notFound, Refusal, refuse } from './problems.ts'
import { type Random, uuid } from './random.ts'
import { inOneTrip } from './store/store.ts'
import { laterOf, timestamp, timestampOrNull } from './time.ts'

export type WebhookRow = Pick<
  Schemas['Webhook'],
  'id' | 'partner_id' | 'url' | 'type' | 'status'
> & {
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until: bigint | null
  readonly created_at: bigint
  readonly updated_at: bigint
  readonly deleted_at: bigint | null
}

/** A webhook, as the contract shows it, without its secret. */
function webhookOf(row: WebhookRow): Schemas['Webhook'] {
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
const ONE = 'WHERE id = ? AND partner_id = ? AND deleted_at IS NULL'

/** Registers a webhook, and returns its secret, which is not shown again. */
export const createWebhook: Handler<'createWebhook'> = async ({ body, caller, context }) => {
  const { url, type } = body
  const { partner_id } = caller
  await admit(context, url)
  const id = uuid(context.random)
  const secret = newSecret(context.random)
  const at = context.now()
  const row = [id, partner_id, url, type, secret, laneOf({ partner_id, url }), at, at]
  const { store, maxWebhooks } = context
  const [, added] = await store.write((queries) =>
    inOneTrip([
      // So that concurrent creations cannot exceed the limit together. SQLite runs one transaction
      // at a time.
      store.backend === 'sqlite' ? undefined : queries.get(LOCK, [partner_id]),
      queries.run(INSERT, [...row, partner_id, maxWebhooks]),
    ]),
  )
  if (added === 1) return { id, partner_id, secret }
  const detail = `A partner can have ${maxWebhooks} webhooks at a time; delete one first.`
  throw new Refusal('too_many_webhooks', { detail })
}

const LOCK = 'SELECT id FROM partners WHERE id = ? FOR NO KEY UPDATE'
const INSERT = `
  INSERT INTO webhooks (id, partner_id, url, type, status, secret, lane, created_at, updated_at)
  SELECT ?, ?, ?, ?, 'active', ?, ?, ?, ?
  WHERE (SELECT count(*) FROM webhooks WHERE partner_id = ? AND deleted_at IS NULL) < ?`

export const getWebhook: Handler<'getWebhook'> = ({ path, caller, context }) =>
  context.store.read(async (queries) => {
    const values = [path.webhook_id, caller.partner_id]
    const row = await queries.get<WebhookRow>(`SELECT * FROM webhooks ${ONE}`, values)
    return webhookOf(row ?? notFound())
  })

export const listWebhooks: Handler<'listWebhooks'> = ({ caller, context }) =>
  context.store.read(async (queries) => {
    const rows = await queries.all<WebhookRow>(OF_PARTNER, [caller.partner_id])
    return { data: rows.map(webhookOf) }
  })

const OF_PARTNER =
  'SELECT * FROM webhooks WHERE partner_id = ? AND deleted_at IS NULL ORDER BY position DESC'

/** Replaces all three fields of a webhook. */
export const updateWebhook: Handler<'updateWebhook'> = async ({ body, path, caller, context }) => {
  const { url, type, status } = body
  const { partner_id } = caller
  await admit(context, url)
  const at = context.now()
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

/**
 * Selects pending deliveries of a webhook to move or drop at once. The rest is moved or dropped
 * when due.
 */
const PENDING = `position IN (
  SELECT position FROM deliveries WHERE webhook_id = ? AND due_at IS NOT NULL ORDER BY due_at, position LIMIT 1000)`
const MOVE = `UPDATE deliveries SET lane = ? WHERE ${PENDING} AND lane <> ?`

/**
 * Rotates the secret of a webhook, and returns the new one, which is not shown again. Both sign for
 * 24 hours, or until the next rotation.
 */
export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({
  path,
  caller,
  context,
}) => {
  const { partner_id } = caller
  const secret = newSecret(context.random)
  const at = context.now()
  const values = [at + DELIVERIES.overlap, secret, at, at, path.webhook_id, partner_id]
  const changed = await context.store.write((queries) => queries.run(ROTATE, values))
  if (changed === 0) notFound()
  return { id: path.webhook_id, partner_id, secret }
}

const ROTATE = `UPDATE webhooks SET old_secret = secret, old_secret_until = ?, secret = ?, updated_at = ${laterOf('updated_at')} ${ONE}`

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
const DROP = `UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE ${PENDING}`

/**
 * A new secret: whsec_ and the base64 of 32 bytes (Standard Webhooks 1.0.0, "Signature scheme").
 */
function newSecret(random: Random): string {
  return `whsec_${Buffer.from(random(32)).toString('base64')}`
}

/** Refuses a URL that is not allowed for deliveries. */
async function admit({ checkTarget }: Context, url: string): Promise<void> {
  const refused = await checkTarget(url)
  if (refused) refuse('url_not_allowed', '/url', refused.detail)
}

import { deliverySettings, readSortDirection } from './behaviour.ts'
import type { HandlerContext } from './context.ts'
import type { Schemas } from './contract.ts'
import { nameLane } from './deliveries/in-progress.ts'
import type { Handler } from './handler.ts'
import { notFound, Refusal, refuse } from './problems.ts'
import { type Random, uuid } from './random.ts'
import { bind, type Queries, type Row, sendInOneTrip } from './store/store.ts'
import { laterExpression, timestamp, timestampOrNull } from './time.ts'

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

/** The columns of a webhook that the contract shows: all but its secrets. */
const SHOWN_COLUMNS = 'id, partner_id, url, type, status, created_at, updated_at, deleted_at'

type ShownRow = Omit<WebhookRow, 'secret' | 'old_secret' | 'old_secret_until'>

/** A webhook, as the contract shows it, without its secret. */
function toWebhook(row: ShownRow): Schemas['Webhook'] {
  return {
    id: row.id,
    partner_id: row.partner_id,
    url: row.url,
    type: row.type,
    status: row.status,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    deleted_at: timestampOrNull(row.deleted_at),
  }
}

/**
 * Registers a webhook, and returns its secret, which is not shown again. The partner verifies with
 * it that a delivery comes from the service.
 *
 * @throws {Refusal} if its URL is not allowed, or the partner has too many webhooks
 */
export const createWebhook: Handler<'createWebhook'> = async ({
  body,
  caller,
  writeWithToken,
  context,
}) => {
  // Only the short path lacks the type: it takes the URL alone (open question `guide-webhook-body`).
  const { url, type = 'all' } = body
  const { partner_id } = caller
  await admit(context, url)
  const id = uuid(context.random)
  const secret = newSecret(context.random)
  const at = context.now()
  // The queue of its deliveries: one per partner and origin.
  const lane = nameLane({ partner_id, url })
  const { store, maxWebhooks } = context
  const webhook = { id, partner_id, url, type, secret, lane, at, maxWebhooks }
  const addedCount = await writeWithToken((queries) => insertWebhook(queries, store, webhook))
  if (addedCount === 1) return { id, partner_id, secret }

  const detail = `A partner can have ${maxWebhooks} webhooks at a time; delete one first.`
  throw new Refusal('too_many_webhooks', { detail })
}

/**
 * Inserts a webhook, unless the partner has as many as it may have. Returns how many rows were
 * added: 1 or 0.
 */
async function insertWebhook(
  queries: Queries,
  { backend }: HandlerContext['store'],
  webhook: Row & { readonly partner_id: string },
): Promise<number> {
  const insert = bind(INSERT_UNLESS_FULL, webhook)
  // SQLite runs one transaction at a time.
  if (backend === 'sqlite') return queries.run(...insert)

  // So that concurrent creations cannot exceed the limit together.
  const lock = queries.get(LOCK_PARTNER, [webhook.partner_id])
  const [, addedCount] = await sendInOneTrip([lock, queries.run(...insert)])
  return addedCount
}

const LOCK_PARTNER = 'SELECT id FROM partners WHERE id = ? FOR NO KEY UPDATE'
/** Adds no row if the partner has as many webhooks as it may have. */
const INSERT_UNLESS_FULL = `
  INSERT INTO webhooks (id, partner_id, url, type, status, secret, lane, created_at, updated_at)
  SELECT :id, :partner_id, :url, :type, 'active', :secret, :lane, :at, :at
  WHERE (SELECT count(*) FROM webhooks WHERE partner_id = :partner_id AND deleted_at IS NULL)
    < :maxWebhooks`

export const getWebhook: Handler<'getWebhook'> = ({ path, caller, context }) =>
  context.store.read(async (queries) => {
    const values = [path.webhook_id, caller.partner_id]
    const row = await queries.get<ShownRow>(WEBHOOK_BY_ID, values)
    return toWebhook(row ?? notFound())
  })

const WEBHOOK_BY_ID = `SELECT ${SHOWN_COLUMNS} FROM webhooks WHERE id = ? AND partner_id = ? AND deleted_at IS NULL`

export const listWebhooks: Handler<'listWebhooks'> = ({ caller, context }) =>
  context.store.read(async (queries) => {
    const rows = await queries.all<ShownRow>(listStatement(), [caller.partner_id])
    return { data: rows.map(toWebhook) }
  })

/** In the order that is declared by then: a new build of the contract may change it. */
const listStatement = () => `
  SELECT ${SHOWN_COLUMNS} FROM webhooks WHERE partner_id = ? AND deleted_at IS NULL
  ORDER BY position ${readSortDirection('listWebhooks')}`

/**
 * Replaces the URL, the type and the status of a webhook. Its pending deliveries go to the new URL.
 */
export const updateWebhook: Handler<'updateWebhook'> = async ({
  body,
  path,
  caller,
  writeWithToken,
  context,
}) => {
  const { url, type, status } = body
  const { partner_id } = caller
  const { webhook_id } = path
  await admit(context, url)
  const at = context.now()
  const lane = nameLane({ partner_id, url })
  const update = bind(UPDATE_WEBHOOK, { webhook_id, partner_id, url, lane, type, status, at })
  const updatedRow = await writeWithToken(async (queries) => {
    const row = (await queries.get<ShownRow>(...update)) ?? notFound()
    await queries.run(...bind(MOVE_PENDING, { webhook_id, lane }))
    return row
  })
  return toWebhook(updatedRow)
}

const UPDATE_WEBHOOK = `
  UPDATE webhooks
  SET url = :url, lane = :lane, type = :type, status = :status,
    updated_at = ${laterExpression('updated_at', ':at')}
  WHERE id = :webhook_id AND partner_id = :partner_id AND deleted_at IS NULL
  RETURNING ${SHOWN_COLUMNS}`

/**
 * Selects pending deliveries of the webhook `:webhook_id` to move or drop at once. The rest is
 * moved or dropped when due.
 */
const PENDING_DELIVERIES = `
  SELECT position FROM deliveries WHERE webhook_id = :webhook_id AND due_at IS NOT NULL
  ORDER BY due_at, position LIMIT 1000`
const MOVE_PENDING = `UPDATE deliveries SET lane = :lane WHERE position IN (${PENDING_DELIVERIES}) AND lane <> :lane`

/**
 * Gives a webhook a new secret, and returns it: it is not shown again. Deliveries are signed with
 * the old secret too, for 24 hours or until the next rotation, so that the receiver has time to
 * change.
 */
export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({
  path,
  caller,
  writeWithToken,
  context,
}) => {
  const { partner_id } = caller
  const { webhook_id } = path
  const secret = newSecret(context.random)
  const at = context.now()
  const old_until = at + deliverySettings().overlapMs
  const rotate = bind(ROTATE_SECRET, { webhook_id, partner_id, secret, old_until, at })
  const changed = await writeWithToken((queries) => queries.run(...rotate))
  if (changed === 0) notFound()
  return { id: webhook_id, partner_id, secret }
}

const ROTATE_SECRET = `
  UPDATE webhooks
  SET old_secret = secret, old_secret_until = :old_until, secret = :secret,
    updated_at = ${laterExpression('updated_at', ':at')}
  WHERE id = :webhook_id AND partner_id = :partner_id AND deleted_at IS NULL`

/**
 * Deletes a webhook, and drops its pending deliveries. The row stays, so that its deliveries can
 * still be read.
 */
export const deleteWebhook: Handler<'deleteWebhook'> = async ({
  path,
  caller,
  writeWithToken,
  context,
}) => {
  const { webhook_id } = path
  const { partner_id } = caller
  const deletion = bind(DELETE_WEBHOOK, { webhook_id, partner_id, at: context.now() })
  await writeWithToken(async (queries) => {
    const deleted = await queries.run(...deletion)
    if (deleted === 0) notFound()
    await queries.run(...bind(DROP_PENDING, { webhook_id }))
  })
  return undefined
}

const DELETE_WEBHOOK = `
  UPDATE webhooks SET deleted_at = ${laterExpression('updated_at', ':at')}
  WHERE id = :webhook_id AND partner_id = :partner_id AND deleted_at IS NULL`
const DROP_PENDING = `
  UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position IN (${PENDING_DELIVERIES})`

/**
 * A new secret: whsec_ and the base64 of 32 bytes (Standard Webhooks 1.0.0, "Signature scheme").
 */
function newSecret(random: Random): string {
  return `whsec_${Buffer.from(random(32)).toString('base64')}`
}

/** Refuses a URL that is not allowed for deliveries. */
async function admit({ checkTarget }: HandlerContext, url: string): Promise<void> {
  const refused = await checkTarget(url)
  if (refused) refuse('url_not_allowed', '/url', refused.detail)
}

import { verify, WebhookError } from '@partner-payments/webhooks'
import type { Context } from '../context.ts'
import { notFound, Refusal } from '../problems.ts'
import { readBytes } from '../service/body.ts'
import { bind, type Queries } from '../store/store.ts'
import { timestamp } from '../time.ts'
import type { Bodies } from './input.ts'

/**
 * Sends an event to a webhook once more: its delivery is due now, whatever its state, and has all
 * its attempts again. Earlier attempts stay on record.
 *
 * @throws {Refusal} if there is no such delivery, or its webhook is inactive or deleted
 */
export async function redeliver(
  { store, now, wakeWorker }: Context,
  { event_id, webhook_id }: Bodies['/deliveries/redeliver'],
) {
  const delivery = { event_id, webhook_id }
  const at = now()
  await store.write(async (queries) => {
    const changed = await queries.run(...bind(MAKE_DUE_IF_ACTIVE, { ...delivery, at }))
    // The statement changes only a delivery to an active webhook.
    if (changed === 0) await refuseDelivery(queries, delivery)
  })
  wakeWorker()
  return { event_id, webhook_id, status: 'pending', due_at: timestamp(at) }
}

/**
 * Throws the reason why a delivery cannot be repeated: there is none, or its webhook is inactive or
 * deleted.
 */
async function refuseDelivery(
  queries: Queries,
  delivery: { readonly event_id: string; readonly webhook_id: string },
): Promise<never> {
  const webhook = await queries.get<{ deleted_at: bigint | null }>(
    ...bind(WEBHOOK_OF_DELIVERY, delivery),
  )
  if (!webhook) notFound()

  // There is a delivery, so it is the webhook that receives nothing.
  const detail = webhook.deleted_at === null ? WEBHOOK_IS_INACTIVE : WEBHOOK_WAS_DELETED
  throw new Refusal('invalid_request', { status: 409, detail })
}

const WEBHOOK_IS_INACTIVE =
  'The webhook of this delivery is inactive. Set its status to "active", then redeliver.'
const WEBHOOK_WAS_DELETED =
  'The webhook of this delivery was deleted, so nothing is sent to it again.'
const WEBHOOK_OF_DELIVERY = `
  SELECT w.deleted_at FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
  WHERE d.event_id = :event_id AND d.webhook_id = :webhook_id`

/** An attempt in progress keeps its claim. */
const MAKE_DUE_IF_ACTIVE = `
  UPDATE deliveries SET status = 'pending', due_at = :at, attempts = 0
  WHERE event_id = :event_id AND webhook_id = :webhook_id AND EXISTS (
    SELECT 1 FROM webhooks w
    WHERE w.id = deliveries.webhook_id AND w.status = 'active' AND w.deleted_at IS NULL
  )`

/** Where the sandbox itself can receive deliveries, for partners without a receiver. */
export const RECEIVER = '/_sandbox/receiver'
/** An event is larger than the request whose record it shows. */
const MAX_DELIVERY_BYTES = 131_072

/**
 * Receives a delivery, as the webhook of a partner would: 200 if its signature is valid, otherwise
 * 400 with the reason. It stores nothing; the attempt records this response.
 */
export async function receive({ store, now }: Pick<Context, 'store' | 'now'>, request: Request) {
  const body = new Uint8Array(await readBytes(request, MAX_DELIVERY_BYTES))
  const event_id = request.headers.get('webhook-id') ?? ''
  const stored = await store.read((queries) => listSecrets(queries, event_id))
  // An event that this sandbox did not send is checked with a secret of nobody, and so refused.
  const secrets = stored.length > 0 ? stored : [UNKNOWN_EVENT_SECRET]
  try {
    const { type } = await verify(body, request.headers, secrets, { now })
    return { status: 200, body: { received: type, signature: 'verified' } } as const
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return { status: 400, body: { signature: error.code, detail: error.message } } as const
  }
}

/** The secrets with which the sandbox signs an event for its own receiver. */
async function listSecrets(queries: Queries, event_id: string): Promise<string[]> {
  const statement = bind(SECRETS_OF_EVENT, { event_id, url: `%${RECEIVER}` })
  const rows = await queries.all<{ secret: string }>(...statement)
  return rows.map(({ secret }) => secret)
}

const SECRETS_OF_EVENT = `
  SELECT w.secret FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
  WHERE d.event_id = :event_id AND w.url LIKE :url LIMIT 50`

/** Stands in for the secret of an unknown event, so that its signature check fails. */
const UNKNOWN_EVENT_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`

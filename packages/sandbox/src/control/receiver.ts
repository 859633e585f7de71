import { verify, WebhookError } from '@partner-payments/webhooks'
import type { Context } from '../context.ts'
import { readBytes } from '../service/body.ts'

/** Where the sandbox receives deliveries itself, for those who have no receiver yet. */
const RECEIVER = '/_sandbox/receiver'

/**
 * Receives a delivery as a receiver should: 200 where its signature is right, else 400 and why. It keeps nothing; the
 * attempt is on record with this response.
 */
export async function receive({ store, now }: Pick<Context, 'store' | 'now'>, request: Request) {
  const body = new Uint8Array(await readBytes(request))
  const id = request.headers.get('webhook-id') ?? ''
  const rows = await store.read((queries) => queries.all<{ secret: string }>(SECRETS, [id, `%${RECEIVER}`]))
  const [first = NOBODYS, ...others] = rows.map(({ secret }) => secret)
  try {
    const { type } = await verify(body, request.headers, [first, ...others], { now })
    return { status: 200, body: { received: type, signature: 'verified' } } as const
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return { status: 400, body: { signature: error.code, detail: error.message } } as const
  }
}

/** A secret that signs nothing here: an event that is not known fails by its signature. */
const NOBODYS = `whsec_${Buffer.alloc(32).toString('base64')}`
const SECRETS = `
  SELECT w.secret FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
  WHERE d.event_id = ? AND w.url LIKE ? LIMIT 50`

import { verify, WebhookError } from '@partner-payments/webhooks'
import type { Context } from '../context.ts'
import { readBytes } from '../service/body.ts'

/** Where the sandbox itself can receive deliveries, for partners without a receiver. */
const RECEIVER = '/_sandbox/receiver'

/**
 * Receives a delivery: 200 if its signature is valid, otherwise 400 with the reason. It stores nothing; the attempt
 * records this response.
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

/** Stands in for the secret of an unknown event, so that its signature check fails. */
const NOBODYS = `whsec_${Buffer.alloc(32).toString('base64')}`
const SECRETS = `
  SELECT w.secret FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
  WHERE d.event_id = ? AND w.url LIKE ? LIMIT 50`

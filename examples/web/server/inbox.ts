import { verify } from '@partner-payments/client/webhooks'
import type { Backend } from './backend.ts'

/**
 * Attempts of a delivery go on for about three days (open question `delivery`). Ids are kept for
 * longer, and what could not be applied stays.
 */
const KEPT_MS = 30 * 86_400_000

/**
 * Verifies the bytes of a delivery, and stores it. A repeated one has the same id, so it is counted
 * and not stored again.
 *
 * @throws {WebhookError} if it is not genuine
 */
export async function receive(
  { database, webhookSecrets }: Backend,
  request: Request,
): Promise<void> {
  const { headers } = request
  const body = await request.arrayBuffer()
  await verify(body, headers, webhookSecrets)

  const now = Date.now()
  const text = new TextDecoder().decode(body)
  database.prepare("DELETE FROM deliveries WHERE result = 'done' AND at < ?").run(now - KEPT_MS)
  database.prepare(STORE).run(headers.get('webhook-id'), text, now)
}

const STORE = `INSERT INTO deliveries (id, body, at) VALUES (?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET times = times + 1`

import { type HeaderPrefix, requireHeader, type SignedHeaders } from './headers.ts'
import { readClock, readPrefix } from './options.ts'
import { createContent, createSignatures, type RawBody, type Secrets } from './signature.ts'

/**
 * Options of {@link sign}.
 *
 * @example
 * const options: SignOptions = { id: 'msg_2N8bYqQ1mWcXkZr7VtHs4L', now: () => 1793629805_000 }
 */
export type SignOptions<Prefix extends HeaderPrefix = HeaderPrefix> = {
  /**
   * Identifies the event, the same at every attempt: 1 to 255 visible ASCII characters without a
   * full stop.
   */
  id: string
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: () => number
  /** The prefix of the header names. Default: `webhook`. */
  headerPrefix?: Prefix
}

/**
 * Signs one delivery attempt with all secrets and returns its headers. Send exactly the signed
 * bytes. For the next attempt, sign again with the same id.
 *
 * Standard Webhooks 1.0.0, "Signature scheme" and "Webhook headers".
 *
 * @throws {WebhookError} `options-invalid`, `id-missing`, `id-invalid`, `secret-invalid`,
 *   `body-not-raw` or `body-not-utf8`.
 *
 * @example
 * const body = JSON.stringify({ type: 'qrcode.paid', timestamp: '2026-11-02T14:30:04Z', data: {} })
 * const headers = await sign(body, generateSecret(), { id: 'msg_2N8bYqQ1mWcXkZr7VtHs4L' })
 * await fetch('https://partner.example/webhooks', { method: 'POST', headers, body })
 */
export async function sign<Prefix extends HeaderPrefix = 'webhook'>(
  body: RawBody,
  secrets: Secrets,
  options: SignOptions<Prefix>,
): Promise<SignedHeaders<Prefix>> {
  const timestamp = `${readClock(options)}`
  const prefix = readPrefix(options)
  const id = requireHeader(prefix, 'id', options.id)

  const content = createContent(id, timestamp, body)
  const signatures = await createSignatures(content, secrets)
  const headers = {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: signatures.join(' '),
  }
  return headers as SignedHeaders<Prefix> // computed names lose their type
}

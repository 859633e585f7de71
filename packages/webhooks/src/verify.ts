import { secondsBy } from './clock.ts'
import { attempt, ensure } from './error.ts'
import type { WebhookEvent } from './events.ts'
import { type DeliveryHeaders, type HeaderPrefix, prefixBy, readHeader } from './headers.ts'
import { contentOf, type RawBody, type Secrets, signaturesOf } from './signature.ts'

/**
 * What {@link verify} takes for granted unless told otherwise.
 *
 * @example
 * const patient: VerifyOptions = { toleranceSeconds: 3600 }
 */
export type VerifyOptions = {
  /** How far the timestamp may be from the clock, either way, in seconds, from 0. Default: 300. */
  toleranceSeconds?: number
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: () => number
  /**
   * Which three headers are read; default: `webhook`. Only they are read: what an attacker adds under the other prefix
   * changes nothing. Recognise repeated deliveries by the id of the same prefix.
   */
  headerPrefix?: HeaderPrefix
}

/**
 * Verifies a delivery and gives its event. Nothing is parsed before the bytes received are proven to be the
 * sender's: one `v1` signature of the header has to match one of the secrets.
 *
 * The type of the event is what the contract promises; it is not checked at run time. Whether the event was
 * seen before is for the receiver to know, by the header `webhook-id` (or `svix-id`).
 *
 * Standard Webhooks 1.0.0, "Verifying signatures".
 *
 * @throws {WebhookError} with the code of the first check that failed.
 *
 * @example
 * const secrets = [generateSecret(), generateSecret()] // the new one and the old one
 * async function POST(request: Request): Promise<Response> {
 *   const event = await verify(await request.arrayBuffer(), request.headers, secrets)
 *   console.log(event.type)
 *   return new Response(null, { status: 204 })
 * }
 */
export async function verify<Event = WebhookEvent>(
  body: RawBody,
  headers: DeliveryHeaders,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<Event> {
  const prefix = prefixBy(options)
  const id = readHeader(headers, prefix, 'id')
  const timestamp = readHeader(headers, prefix, 'timestamp')
  const candidates = readHeader(headers, prefix, 'signature').split(' ')
  checkAge(timestamp, prefix, options)
  const content = contentOf(id, timestamp, body)
  const signatures = await signaturesOf(content, secrets)
  const matches = signatures.some((signature) => candidates.some((candidate) => isSame(signature, candidate)))
  ensure(
    matches,
    'signature-mismatch',
    `no signature in ${prefix}-signature matches the body and the secrets`,
  )
  return parse(content.subarray(id.length + timestamp.length + 2))
}

function checkAge(timestamp: string, prefix: HeaderPrefix, options: VerifyOptions): void {
  const age = secondsBy(options) - Number(timestamp)
  const { toleranceSeconds = 300 } = options
  // Number.isFinite takes no text, and no null, which a comparison would take for 0.
  const isSpan = Number.isFinite(toleranceSeconds) && toleranceSeconds >= 0
  ensure(isSpan, 'options-invalid', 'options.toleranceSeconds must be a number from 0')
  const message = `${prefix}-timestamp is ${age} s behind the clock, tolerance ${toleranceSeconds} s`
  ensure(age <= toleranceSeconds, 'timestamp-too-old', message)
  ensure(age >= -toleranceSeconds, 'timestamp-too-new', message)
}

// Takes as long for a signature that is wrong at once as for one that is nearly right.
function isSame(signature: string, candidate: string): boolean {
  let difference = signature.length ^ candidate.length
  for (let i = 0; i < signature.length; i++) {
    difference |= signature.charCodeAt(i) ^ candidate.charCodeAt(i)
  }
  return difference === 0
}

// A byte order mark is kept, and so refused: JSON has none (RFC 8259, 8.1).
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse<Event>(bytes: Uint8Array): Event {
  const text = attempt(() => decoder.decode(bytes), 'body-not-utf8', 'the body must be UTF-8')
  return attempt(() => JSON.parse(text), 'body-not-json', 'the body must be JSON')
}

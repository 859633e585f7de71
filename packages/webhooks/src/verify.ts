import { requireThat, wrapErrors } from './error.ts'
import type { WebhookEvent } from './events.ts'
import { type DeliveryHeaders, type HeaderPrefix, readHeader } from './headers.ts'
import { readClock, readPrefix } from './options.ts'
import {
  createContent,
  createSignatures,
  createSyncSignatures,
  type RawBody,
  type Secrets,
} from './signature.ts'

/**
 * Options of {@link verify}.
 *
 * @example
 * const options: VerifyOptions = { toleranceSeconds: 3600 }
 */
export type VerifyOptions = {
  /**
   * Maximum difference between timestamp and clock in seconds, either way, from 0. Default: 300.
   */
  toleranceSeconds?: number
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: () => number
  /**
   * The prefix of the three headers. Headers with the other prefix are ignored, so an attacker
   * cannot use them. Deduplicate deliveries by the id with the same prefix. Default: `webhook`.
   */
  headerPrefix?: HeaderPrefix
}

/**
 * Verifies a delivery and returns a promise of its event, which rejects if the delivery is forged:
 * without `await`, every delivery is accepted. Parses the body only after verification: one `v1`
 * signature of the header must match one of the secrets.
 *
 * The event is typed by the contract but not validated at run time. Deduplicate events by the
 * header `webhook-id` (or `svix-id`), and payments that you receive by their `end_to_end_id`, since
 * two events may report one.
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
  const delivery = readDelivery(body, headers, options)
  return readEvent(delivery, await createSignatures(delivery.content, secrets))
}

/**
 * Verifies a delivery at once, as the functions of `stripe`, `svix` and `standardwebhooks` do:
 * {@link verify} without a promise. It needs `node:crypto`, which Node 20.16, Bun and Deno have, and
 * browsers and edge runtimes have not.
 *
 * @throws {WebhookError} as {@link verify} does, and `sync-unavailable`.
 *
 * @example
 * const secrets = [generateSecret(), generateSecret()] // the new one and the old one
 * function receive(body: Uint8Array, headers: DeliveryHeaders): WebhookEvent {
 *   return verifySync(body, headers, secrets)
 * }
 */
export function verifySync<Event = WebhookEvent>(
  body: RawBody,
  headers: DeliveryHeaders,
  secrets: Secrets,
  options: VerifyOptions = {},
): Event {
  const delivery = readDelivery(body, headers, options)
  return readEvent(delivery, createSyncSignatures(delivery.content, secrets))
}

/** A delivery whose signature is not verified yet. */
interface Delivery {
  readonly prefix: HeaderPrefix
  /** What is signed. */
  readonly content: Uint8Array<ArrayBuffer>
  /** Where the body begins in it. */
  readonly bodyStart: number
  /** The signatures that the sender claims. */
  readonly candidates: readonly string[]
}

/**
 * Reads and validates what the signature depends on: the headers and the signed content. `candidates`
 * are the signatures in the header, one of which must be right.
 */
function readDelivery(body: RawBody, headers: DeliveryHeaders, options: VerifyOptions): Delivery {
  const prefix = readPrefix(options)
  const id = readHeader(headers, prefix, 'id')
  const timestamp = readHeader(headers, prefix, 'timestamp')
  const candidates = readHeader(headers, prefix, 'signature').split(' ')
  requireRecent(timestamp, prefix, options)
  return {
    prefix,
    content: createContent(id, timestamp, body),
    // After the id, the timestamp and their two full stops.
    bodyStart: id.length + timestamp.length + 2,
    candidates,
  }
}

/**
 * Returns the event of a delivery, parsed, if it is genuine: one of the signatures in its header
 * (`candidates`) must be one of those that the secrets make.
 */
function readEvent<Event>(delivery: Delivery, signatures: readonly string[]): Event {
  const { prefix, content, bodyStart, candidates } = delivery
  const hasCandidate = (signature: string) =>
    candidates.some((candidate) => isSame(signature, candidate))
  const isSigned = signatures.some(hasCandidate)
  requireThat(
    isSigned,
    'signature-mismatch',
    `no signature in ${prefix}-signature matches the body and the secrets`,
  )

  return parse(content.subarray(bodyStart))
}

/**
 * Throws a `WebhookError` if a timestamp is too far from the clock, either way: an old delivery may
 * be a copy that somebody sends again.
 */
function requireRecent(timestamp: string, prefix: HeaderPrefix, options: VerifyOptions): void {
  const age = readClock(options) - Number(timestamp)
  const { toleranceSeconds = 300 } = options

  // Number.isFinite rejects strings, and null, which a comparison would treat as 0.
  const isSpan = Number.isFinite(toleranceSeconds) && toleranceSeconds >= 0
  requireThat(isSpan, 'options-invalid', 'options.toleranceSeconds must be a number from 0')

  const message = `${prefix}-timestamp is ${age} s behind the clock, tolerance ${toleranceSeconds} s`
  requireThat(age <= toleranceSeconds, 'timestamp-too-old', message)
  requireThat(age >= -toleranceSeconds, 'timestamp-too-new', message)
}

/** Compares in constant time, which does not reveal how much of a signature matches. */
function isSame(signature: string, candidate: string): boolean {
  let difference = signature.length ^ candidate.length
  for (let i = 0; i < signature.length; i++) {
    difference |= signature.charCodeAt(i) ^ candidate.charCodeAt(i)
  }
  return difference === 0
}

// Keeps a byte order mark, so that JSON.parse refuses it (RFC 8259, 8.1).
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse<Event>(bytes: Uint8Array): Event {
  const text = wrapErrors(() => decoder.decode(bytes), 'body-not-utf8', 'the body must be UTF-8')
  return wrapErrors(() => JSON.parse(text), 'body-not-json', 'the body must be JSON')
}

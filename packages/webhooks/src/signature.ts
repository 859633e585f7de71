import { requireThat, wrapErrors } from './error.ts'
import { cachedSigner, cachedSyncSigner, requireSecret } from './key.ts'

/**
 * A body as bytes, or as a string that is encoded as UTF-8. A string with a lone surrogate is
 * refused.
 *
 * Prefer bytes. A string that a framework decoded may have lost bytes that were not UTF-8, and then
 * its signature does not match.
 *
 * @example
 * const body: RawBody = await new Response('{}').arrayBuffer()
 */
export type RawBody = Uint8Array | ArrayBuffer | string

/**
 * One secret, or up to 10 during a rotation: each the base64 of 24 to 64 bytes. The prefix `whsec_`
 * and the padding are optional, as in most libraries of Standard Webhooks.
 *
 * Standard Webhooks 1.0.0, "Signature scheme".
 *
 * @example
 * const secrets: Secrets = [generateSecret(), generateSecret()]
 */
export type Secrets = string | readonly string[]

const MAX_SECRETS = 10

const encoder = new TextEncoder()

/**
 * The signed content, `{id}.{timestamp}.{body}`. Copies the bytes, so that nobody can change the
 * body between verification and parsing.
 */
export function createContent(
  id: string,
  timestamp: string,
  body: RawBody,
): Uint8Array<ArrayBuffer> {
  const prefix = `${id}.${timestamp}.`
  const bytes = typeof body === 'string' ? encodeText(body) : readBytes(body)

  const content = new Uint8Array(prefix.length + bytes.length)
  // As many bytes as characters: both headers are ASCII.
  encoder.encodeInto(prefix, content)
  content.set(bytes, prefix.length)
  return content
}

/** The UTF-8 of a string. Throws for a lone surrogate. */
function encodeText(text: string): Uint8Array {
  // TextEncoder would write U+FFFD for a lone surrogate. Some browsers in use lack isWellFormed().
  const isWellFormed = !/\p{Cs}/u.test(text)
  requireThat(isWellFormed, 'body-not-utf8', 'the body must be a well-formed string')
  return encoder.encode(text)
}

/**
 * A view of the bytes of a body, without a copy. Throws a `WebhookError` for anything else than
 * bytes, such as a parsed object.
 */
function readBytes(body: Uint8Array | ArrayBuffer): Uint8Array {
  const viewBytes = () => {
    // `new DataView` is the type test of a buffer: it throws for everything else, and for a buffer
    // whose bytes were transferred. `instanceof` would refuse a buffer of another realm, such as a
    // frame or a test runner.
    const view = ArrayBuffer.isView(body) ? body : new DataView(body)
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  }
  return wrapErrors(
    viewBytes,
    'body-not-raw',
    `the body must be bytes or a string, got ${typeof body}: was it parsed?`,
  )
}

/**
 * Signs the content with each secret, and returns the signatures in the order of the secrets, each
 * with its version: `v1,…`.
 */
export async function createSignatures(
  content: Uint8Array<ArrayBuffer>,
  secrets: Secrets,
): Promise<string[]> {
  const signatures: string[] = []
  for (const secret of requireSecrets(secrets)) {
    const hmac = await cachedSigner(secret)
    signatures.push(`v1,${await hmac(content)}`)
  }
  return signatures
}

/** As `createSignatures`, but at once. Throws where the runtime has no crypto of Node. */
export function createSyncSignatures(content: Uint8Array, secrets: Secrets): string[] {
  return requireSecrets(secrets).map((secret) => `v1,${cachedSyncSigner(secret)(content)}`)
}

/** The secrets as a list. Throws a `WebhookError` if there is none, or there are too many. */
function requireSecrets(secrets: Secrets): string[] {
  const list = [secrets].flat()
  const hasPossibleCount = list.length > 0 && list.length <= MAX_SECRETS
  requireThat(
    hasPossibleCount,
    'secret-invalid',
    `expected 1 to ${MAX_SECRETS} secrets, got ${list.length}`,
  )
  return list
}

/**
 * Reads the secrets of an environment variable, separated by spaces or line ends, and checks them.
 * Call it where your receiver starts, so that a wrong secret stops the start and not each delivery.
 *
 * @throws {WebhookError} `secret-invalid`.
 *
 * @example
 * const secrets = readSecrets(process.env.WEBHOOK_SECRETS)
 */
export function readSecrets(text: string | undefined): string[] {
  const words = `${text ?? ''}`.split(/\s+/).filter(Boolean)
  requireThat(
    words.length > 0,
    'secret-invalid',
    `expected 1 to ${MAX_SECRETS} secrets with spaces between, got none: set the variable to the secret of the webhook`,
  )

  const secrets = requireSecrets(words)
  for (const secret of secrets) requireSecret(secret)
  return secrets
}

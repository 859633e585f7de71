import { attempt, ensure } from './error.ts'
import { hmacOf } from './key.ts'

/**
 * A body as it is sent: its bytes, or the text whose UTF-8 they are. Half a surrogate pair has none.
 *
 * Bytes are the safe choice. A text that a framework decoded may have lost bytes that were not UTF-8,
 * and then its signature does not match.
 *
 * @example
 * const body: RawBody = await new Response('{}').arrayBuffer()
 */
export type RawBody = Uint8Array | ArrayBuffer | string

/**
 * One secret, or several while one replaces another: each the base64 of 24 to 64 bytes, 10 at most.
 * The prefix `whsec_` and the padding may be left out, as most libraries of Standard Webhooks allow.
 *
 * Standard Webhooks 1.0.0, "Signature scheme".
 *
 * @example
 * const secrets: Secrets = [generateSecret(), generateSecret()]
 */
export type Secrets = string | readonly string[]

const encoder = new TextEncoder()

/**
 * What is signed: `{id}.{timestamp}.{body}` in bytes of our own, so that nobody can change the body
 * between its verification and its parsing.
 */
export function contentOf(id: string, timestamp: string, body: RawBody): Uint8Array<ArrayBuffer> {
  const prefix = encoder.encode(`${id}.${timestamp}.`)
  const bytes = typeof body === 'string' ? utf8Of(body) : bytesOf(body)
  const content = new Uint8Array(prefix.length + bytes.length)
  content.set(prefix)
  content.set(bytes, prefix.length)
  return content
}

function utf8Of(text: string): Uint8Array {
  // The encoder would write U+FFFD for half a surrogate pair. isWellFormed() is younger than some browsers in use.
  ensure(!/\p{Cs}/u.test(text), 'body-not-utf8', 'the body must be well-formed Unicode')
  return encoder.encode(text)
}

function bytesOf(body: Uint8Array | ArrayBuffer): Uint8Array {
  const view = () => {
    // Refuses, of every realm, what is no buffer, or a buffer that was transferred.
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(body) ? body : new DataView(body)
    return new Uint8Array(buffer, byteOffset, byteLength)
  }
  return attempt(
    view,
    'body-not-raw',
    `the body must be bytes or a string, got ${typeof body}: was it parsed?`,
  )
}

/** The `v1` signature of the content with each secret, in their order. */
export async function signaturesOf(content: Uint8Array<ArrayBuffer>, secrets: Secrets): Promise<string[]> {
  const list = [secrets].flat()
  ensure(
    list.length > 0 && list.length <= 10,
    'secret-invalid',
    `expected 1 to 10 secrets, got ${list.length}`,
  )
  return Promise.all(list.map((secret) => signatureOf(content, secret)))
}

async function signatureOf(content: Uint8Array<ArrayBuffer>, secret: string): Promise<string> {
  const hmac = await hmacOf(secret)
  return `v1,${await hmac(content)}`
}

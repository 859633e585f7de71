import { declaredMaxBodyBytes } from '../behaviour.ts'
import { Refusal } from '../problems.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses the bytes of a body as JSON; undefined if it is empty.
 *
 * @throws {Refusal} `malformed_body` if it is no JSON
 */
export function parseJson(bytes: Uint8Array | ArrayBuffer): unknown {
  if (bytes.byteLength === 0) return undefined
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw new Refusal('malformed_body', { cause })
  }
}

/** Whether a content type is JSON, with or without parameters. */
export function isJsonType(contentType: string): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(contentType)
}

/** Whether the headers announce a body. */
export function hasBody({ headers }: Request): boolean {
  const length = headers.get('content-length')
  if (length === null) return headers.has('transfer-encoding')
  return length !== '0'
}

/**
 * Reads the bytes of a body. Node limits a body to its announced length; without one, the bytes are
 * counted.
 *
 * @param maxBytes by default those that the contract allows a request
 * @throws {Refusal} if it is too large, or did not arrive whole
 */
export async function readBytes(
  request: Request,
  maxBytes = declaredMaxBodyBytes(),
): Promise<Uint8Array | ArrayBuffer> {
  const length = request.headers.get('content-length')
  // A length that is no number is not allowed.
  const isAllowed = length === null || Number(length) <= maxBytes
  if (!isAllowed) throw new Refusal('body_too_large')

  try {
    return await (length === null ? readCounted(request, maxBytes) : request.arrayBuffer())
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    // The client disconnected or sent invalid HTTP. Throw a refusal, so that it is not logged as a
    // failure of the service.
    throw new Refusal('malformed_body', { cause, detail: 'The body is incomplete.' })
  }
}

/** Reads a body of unknown length, and refuses it once it has too many bytes. */
async function readCounted({ body }: Request, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the stream.
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > maxBytes) throw new Refusal('body_too_large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

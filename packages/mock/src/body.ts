import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { Refusal } from './problems.ts'

const MAX_BODY_BYTES = behaviour.conventions.bodySize.bytes

/**
 * Reads the body of a request as JSON; undefined when it is empty.
 *
 * @throws {Refusal} body_too_large above 64 KB, unsupported_media_type, malformed_body
 */
export async function readJson(request: Request): Promise<unknown> {
  requireAllowedLength(request)
  const bytes = await readBytes(request)
  if (bytes.length === 0) return undefined

  const type = request.headers.get('content-type') ?? ''
  if (!isJson(type)) throw new Refusal('unsupported_media_type')

  return parse(bytes)
}

/** Throws for a length that is too large, before the body arrives. */
function requireAllowedLength({ headers }: Request): void {
  if (Number(headers.get('content-length')) > MAX_BODY_BYTES) refuseSize()
}

function refuseSize(): never {
  throw new Refusal('body_too_large', { detail: `The body exceeds ${MAX_BODY_BYTES} bytes.` })
}

/** The bytes of a body. Throws a Refusal once they are more than the limit. */
async function readBytes({ body }: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of readChunks(body)) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) refuseSize()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The bytes of a body, piece by piece. Throws a Refusal if the body ends too early. */
async function* readChunks(body: Request['body']): AsyncIterable<Uint8Array> {
  try {
    if (body) yield* body
  } catch (cause) {
    throw new Refusal('malformed_body', { detail: 'The body ended before it was complete.', cause })
  }
}

/** Whether a media type is JSON, with or without parameters. */
function isJson(type: string): boolean {
  return /^application\/json[ \t]*(;|$)/i.test(type)
}

/** Parses bytes as JSON. Throws a Refusal if they are not UTF-8 or not JSON. */
function parse(bytes: Buffer): unknown {
  try {
    // Fatal: JSON is UTF-8 (RFC 8259, section 8.1), and replacing invalid bytes would change the
    // value.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return JSON.parse(text)
  } catch (cause) {
    throw new Refusal('malformed_body', { cause })
  }
}

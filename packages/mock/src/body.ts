import { Refusal } from './problems.ts'

const limit = 64 * 1024

/**
 * Reads the body of a request as JSON; undefined when it is empty.
 *
 * @throws {Refusal} body_too_large above 64 KB, unsupported_media_type, malformed_body
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request)
  if (bytes.length === 0) return undefined
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json *(;|$)/i.test(type)) throw new Refusal('unsupported_media_type')
  return parse(bytes)
}

async function readBytes({ body }: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of readAll(body)) {
    size += chunk.length
    if (size > limit)
      throw new Refusal('body_too_large', { detail: `The body exceeds ${limit} bytes.` })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* readAll(body: Request['body']): AsyncIterable<Uint8Array> {
  try {
    if (body) yield* body
  } catch (cause) {
    throw new Refusal('malformed_body', { detail: 'The body ended before it was complete.', cause })
  }
}

function parse(bytes: Buffer): unknown {
  try {
    // Fatal: JSON is UTF-8 (RFC 8259, section 8.1), and replacing invalid bytes would change the
    // value.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new Refusal('malformed_body', { cause })
  }
}

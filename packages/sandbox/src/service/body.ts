import { Refusal } from '../problems.ts'

/** Bytes of a body at most. */
export const BODY_LIMIT = 65_536

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The body of a request, parsed; undefined where there is none.
 *
 * @throws {Refusal} `body_too_large`, `malformed_body`
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request)
  if (bytes.byteLength === 0) return undefined
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw new Refusal('malformed_body', { cause })
  }
}

/** Whether a request brings a body, as far as its headers tell. */
export function hasBody({ headers }: Request): boolean {
  const length = headers.get('content-length')
  return length === null ? headers.has('transfer-encoding') : length !== '0'
}

/**
 * The body as it came. The server holds a body to the length that was announced; one without is counted.
 *
 * @throws {Refusal} `body_too_large`
 */
export async function readBytes(request: Request): Promise<Uint8Array | ArrayBuffer> {
  const length = request.headers.get('content-length')
  if (length === null) return counted(request)
  if (!(Number(length) <= BODY_LIMIT)) throw new Refusal('body_too_large')
  return request.arrayBuffer()
}

async function counted({ body }: Request): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the stream.
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > BODY_LIMIT) throw new Refusal('body_too_large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

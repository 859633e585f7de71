import { Refusal } from '../problems.ts'

/** Bytes of a body at most. */
const BODY_LIMIT = 65_536

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The body of a request, parsed; undefined where there is none.
 *
 * @throws {Refusal} `body_too_large`, `malformed_body`
 */
export async function readJson(request: Request): Promise<unknown> {
  return parseJson(await readBytes(request))
}

/**
 * A body that was read, parsed; undefined where it is empty.
 *
 * @throws {Refusal} `malformed_body`
 */
export function parseJson(bytes: Uint8Array | ArrayBuffer): unknown {
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
 * @throws {Refusal} `body_too_large`; `malformed_body` where it breaks off
 */
export async function readBytes(request: Request): Promise<Uint8Array | ArrayBuffer> {
  const length = request.headers.get('content-length')
  if (length !== null && !(Number(length) <= BODY_LIMIT)) throw new Refusal('body_too_large')
  try {
    return await (length === null ? counted(request) : request.arrayBuffer())
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    // The client went away, or what it sent is no HTTP: no failure of the service, which would be told as one.
    throw new Refusal('malformed_body', { cause, detail: 'The body broke off.' })
  }
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

import { isTooDeep } from '@partner-payments/contract'
import { ConfigError, DecodeError } from './errors.ts'
import type { Bytes, Named, Operation, ReadBody } from './operation.ts'
import { tagOf } from './property.ts'

/**
 * Maximum length of a response: characters, and bytes where the body is a stream. The last chunk may
 * exceed it. Logs, validation and the client each parse a body. Together they may take three seconds
 * for 10 MB of short fields, in which the program does nothing else.
 */
const MAX_LENGTH = 3 * 2 ** 20

/** Levels of JSON. Parsing more takes longer than a whole attempt may. */
const MAX_LEVELS = 100_000

/** Decodes complete bodies: it keeps nothing between two of them. */
const decoder = /* @__PURE__ */ new TextDecoder()

/**
 * Reads the body of a response, and throws if it is longer than the limit, whatever length it
 * declares. `bytes` is absent where the runtime has no stream of the body.
 */
export async function readBody(response: Response, operation: Named): Promise<ReadBody> {
  const { body } = response
  // React Native has no stream of the body.
  const hasStream = typeof body?.getReader === 'function'
  if (!hasStream) {
    const text = await response.text()
    requireLength(text.length, operation)
    return { text }
  }

  const bytes = await readBytes(body.getReader(), operation)
  return { text: decoder.decode(bytes), bytes }
}

function requireLength(length: number, operation: Named): void {
  if (length <= MAX_LENGTH) return
  throw new DecodeError(operation, `expected a body of at most ${MAX_LENGTH} bytes, got more`)
}

/**
 * Reads a copy of a response, for code that only observes it. Returns `undefined` if that fails, or
 * if the response cannot be copied: the client reports it, and an observer decides no outcome.
 */
export async function readCopy(response: Response, operation: Named): Promise<string | undefined> {
  try {
    return (await readBody(response.clone(), operation)).text
  } catch {
    return undefined
  }
}

/**
 * Reads a stream to its end and returns its bytes. Most bodies have one chunk, which needs no copy.
 */
async function readBytes(
  reader: ReadableStreamDefaultReader<Bytes>,
  operation: Named,
): Promise<Bytes> {
  const chunks: Bytes[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break

    chunks.push(value)
    length += value.byteLength
    if (length <= MAX_LENGTH) continue

    // Too long: ends the stream, and throws. Cancelling an endless body may never complete, so
    // nothing waits for it.
    reader.cancel().catch(() => {})
    requireLength(length, operation)
  }

  const [first] = chunks
  return first && chunks.length === 1 ? first : joinChunks(chunks, length)
}

/** Copies all chunks into one array of bytes. */
function joinChunks(chunks: readonly Bytes[], length: number): Bytes {
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/**
 * Parses JSON; returns `otherwise` for any other text, and for one that is nested so deeply that
 * parsing it takes long.
 */
export function parseJson(text: string, otherwise?: unknown): unknown {
  if (isTooDeep(text, MAX_LEVELS)) return otherwise
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

/**
 * Throws `ConfigError` unless a request body is an object or absent. JSON.stringify would turn a
 * FormData, URLSearchParams, Blob or Map into `{}`.
 */
export function requireObjectBody(body: unknown, operation?: Operation): void {
  const tag = tagOf(body)
  if (tag === 'Object' || tag === 'Undefined') return
  const hint = tag === 'Promise' ? ': await it first' : ''
  throw new ConfigError(`the body must be an object, got ${tag}${hint}`, operation)
}

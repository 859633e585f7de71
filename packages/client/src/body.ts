import { isTooDeep } from '@partner-payments/contract'
import { ConfigError, DecodeError } from './errors.ts'
import type { Named, Operation, ReadBody } from './operation.ts'
import { tagOf } from './property.ts'

/**
 * Maximum number of characters to read from a response; the last chunk may exceed it. Logs,
 * validation and the client each parse a body. Together they may take three seconds for 10 MB of
 * short fields, in which the program does nothing else.
 */
const LIMIT = 3 * 2 ** 20

/** Levels of JSON. Parsing more takes longer than a whole attempt may. */
const MAX_LEVELS = 100_000

/** Reads a body up to a limit, whatever length it declares. */
export async function readBody(response: Response, operation: Named): Promise<ReadBody> {
  const { body } = response
  // React Native has no stream of the body.
  const hasStream = typeof body?.getReader === 'function'
  const read = hasStream ? await readChunks(body.getReader()) : { text: await response.text() }
  if (read.text.length >= LIMIT) {
    throw new DecodeError(operation, `expected a body of at most ${LIMIT} characters, got more`)
  }
  return read
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

async function readChunks(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ReadBody> {
  const decoder = new TextDecoder()
  const chunks: Uint8Array[] = []
  let text = ''
  while (text.length < LIMIT) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), bytes: joined(chunks) }
    chunks.push(value)
    text += decoder.decode(value, { stream: true })
  }
  // Not awaited: cancelling an endless body may never complete.
  reader.cancel().catch(() => {})
  return { text }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
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
export function expectObjectBody(body: unknown, operation?: Operation): void {
  const tag = tagOf(body)
  if (tag === 'Object' || tag === 'Undefined') return
  const hint = tag === 'Promise' ? ': await it first' : ''
  throw new ConfigError(`the body must be an object, got ${tag}${hint}`, operation)
}

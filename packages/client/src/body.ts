import { ConfigError, DecodeError } from './errors.ts'
import type { Named, Operation } from './operation.ts'
import { tagOf } from './property.ts'

/** Maximum number of characters to read from a response; the last chunk may exceed it. */
const LIMIT = 10 * 2 ** 20

/** Reads a body up to a limit, whatever length it declares. */
export async function textOf(response: Response, operation: Named): Promise<string> {
  const { body } = response
  // React Native has no stream of the body.
  const hasStream = typeof body?.getReader === 'function'
  const text = hasStream ? await readChunks(body.getReader()) : await response.text()
  if (text.length >= LIMIT) {
    throw new DecodeError(operation, `expected a body of at most ${LIMIT} characters, got more`)
  }
  return text
}

/**
 * Reads a copy of a response, for code that only observes it. Returns `undefined` if that fails, or
 * if the response cannot be copied: the client reports it, and an observer decides no outcome.
 */
export async function readCopy(response: Response, operation: Named): Promise<string | undefined> {
  try {
    return await textOf(response.clone(), operation)
  } catch {
    return undefined
  }
}

async function readChunks(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  while (text.length < LIMIT) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
  // Not awaited: cancelling an endless body may never complete.
  reader.cancel().catch(() => {})
  return text
}

/** Parses JSON; returns `otherwise` for any other text. */
export function parseJson(text: string, otherwise?: unknown): unknown {
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
  throw new ConfigError(`the body must be an object, got ${tag}`, operation)
}

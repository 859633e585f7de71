import { DecodeError } from './errors.ts'

/** Maximum number of characters to read from a response; the last chunk may exceed it. */
const LIMIT = 10 * 2 ** 20

/** Reads a body up to a limit: at once if the declared length is small, otherwise chunk by chunk. */
export async function textOf(
  response: Response,
  operation: { readonly operationId: string },
): Promise<string> {
  const { body, headers } = response
  const length = headers.get('content-length')
  // A declared length counts the bytes before they are decompressed.
  const isSmall = length && Number(length) < LIMIT && !headers.has('content-encoding')
  const text = isSmall || !body ? await response.text() : await readChunks(body.getReader())
  if (text.length < LIMIT) return text
  throw new DecodeError(operation, `expected a body of at most ${LIMIT} characters, got more`)
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

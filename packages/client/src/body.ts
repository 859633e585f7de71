import { DecodeError } from './errors.ts'
import type { Operation } from './operation.ts'

/** Characters of an answer that are read at most, give or take the last piece. */
const LIMIT = 10 * 2 ** 20

/** The text of a body, up to a limit: at once where a small length is declared, else piece by piece. */
export async function textOf(response: Response, operation: Operation): Promise<string> {
  const { body, headers } = response
  const length = headers.get('content-length')
  // A declared length counts the bytes before they are decompressed.
  const isSmall = length && Number(length) < LIMIT && !headers.has('content-encoding')
  const text = isSmall || !body ? await response.text() : await readPieces(body.getReader())
  if (text.length < LIMIT) return text
  throw new DecodeError(operation, `expected a body of at most ${LIMIT} characters, got more`)
}

async function readPieces(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  while (text.length < LIMIT) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
  // Not waited for: a body that does not end may not want to be cancelled either.
  reader.cancel().catch(() => {})
  return text
}

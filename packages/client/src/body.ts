import { DecodeError } from './errors.ts'
import type { Operation } from './operation.ts'

/** Bytes of an answer that are read at most. */
const LIMIT = 10 * 2 ** 20

/** The text of a body, up to a limit: at once where a small length is declared, else piece by piece. */
export async function textOf(response: Response, operation: Operation): Promise<string> {
  const { body, headers } = response
  const length = headers.get('content-length')
  // A declared length counts the bytes before they are decompressed.
  if (!body || (length && +length < LIMIT && !headers.has('content-encoding'))) return response.text()
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let read = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    read += value.length
    if (read > LIMIT) {
      // Not waited for: a body that does not end may not want to be cancelled either.
      reader.cancel().catch(() => {})
      throw new DecodeError(operation, `answered more than ${LIMIT} bytes`)
    }
  }
}

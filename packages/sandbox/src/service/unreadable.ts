import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { createProblemResponse, Refusal } from '../problems.ts'
import { alphanumeric, systemRandom } from '../random.ts'

interface Explanation {
  readonly status: number
  readonly detail: string
}

/** By the code of the error: those of Node, and the two of {@link UnreadableRequest}. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are larger than 16 KB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not arrive in time.' },
  CONNECT: { status: 400, detail: 'The service is not a proxy.' },
  HOST: { status: 400, detail: 'The request has several Host headers. Expected one.' },
}
const NOT_HTTP: Explanation = { status: 400, detail: 'The request is not valid HTTP.' }

/** Milliseconds that a connection stays open after a refusal. */
const LINGER_MS = 1_000

/** A request that Node can read, and the sandbox refuses before it has a Request of it. */
export class UnreadableRequest extends Error {
  readonly code: 'CONNECT' | 'HOST'

  constructor(code: 'CONNECT' | 'HOST') {
    super(EXPLANATIONS[code]?.detail)
    this.code = code
  }
}

/**
 * The response to a request that is not valid HTTP or did not arrive in time.
 *
 * @param error that of Node; its code decides status and message
 */
export function respondUnreadable(error: unknown): Response {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const { status, detail } = EXPLANATIONS[code] ?? NOT_HTTP
  const refusal = new Refusal('invalid_request', {
    status,
    detail,
    headers: { connection: 'close' },
  })
  return createProblemResponse(refusal, `req_${alphanumeric(systemRandom, 20)}`)
}

/**
 * Ends a connection with the refusal of bytes that never became a request. There is no response
 * object, so it writes to the socket.
 */
export async function endUnreadable(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
  const isGone = !socket.writable || error.code === 'ECONNRESET'
  if (isGone) {
    socket.destroy()
    return
  }

  const response = respondUnreadable(error)
  const body = await response.text()
  const headers = {
    ...Object.fromEntries(response.headers),
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // Closing at once could reset the connection before the client has read the response (RFC 9112,
  // section 9.6).
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

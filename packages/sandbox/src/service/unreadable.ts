import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { problemOf, Refusal } from '../problems.ts'
import { alphanumeric, systemRandom } from '../random.ts'

const REFUSALS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are larger than 16 KB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  CONNECT: [400, 'The service is not a proxy.'],
  HOST: [400, 'The request has several Host headers. Expected one.'],
}
/** Milliseconds that a connection stays open after a refusal. */
const LINGER_MS = 1_000

/** The response to a request that is not valid HTTP or did not arrive in time. */
export function unreadable(error: unknown): Response {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [status, detail] = REFUSALS[code] ?? [400, 'The request is not valid HTTP.']
  const refusal = new Refusal('invalid_request', {
    status,
    detail,
    headers: { connection: 'close' },
  })
  return problemOf(refusal, `req_${alphanumeric(systemRandom, 20)}`)
}

/**
 * Refuses bytes that never became a request. There is no response object, so it writes to the
 * socket.
 */
export async function refuseOnSocket(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const response = unreadable(error)
  const body = await response.text()
  const headers = {
    ...Object.fromEntries(response.headers),
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${lines.join('')}\r\n${body}`,
  )
  // Closing at once could reset the connection before the client has read the response (RFC 9112,
  // section 9.6).
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

import { connect } from 'node:net'
import { RESPONSE_TIMEOUT_MS } from './expectations.ts'

/** What a server wrote until it closed the connection or stayed silent for too long. */
export interface Received {
  readonly bytes: Buffer
  readonly isClosed: boolean
  readonly ms: number
}

interface WriteOptions {
  /** Whether to half-close the connection after the bytes. */
  readonly half?: boolean
  /** Written after the first response. */
  readonly after?: string
}

/** Writes raw bytes to a port, and collects what comes back. */
export function writeRaw(
  port: number,
  bytes: Buffer,
  { half = false, after }: WriteOptions = {},
): Promise<Received> {
  const began = performance.now()
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => (half ? socket.end(bytes) : socket.write(bytes)))
    const end = (isClosed: boolean) => {
      resolve({ bytes: Buffer.concat(parts), isClosed, ms: performance.now() - began })
      socket.destroy()
    }
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => end(false))
    socket.on('data', (part) => parts.push(part))
    if (after) socket.once('data', () => socket.write(after))
    socket.on('close', () => end(true))
    // A server may reset the connection after refusing. What it wrote before counts.
    socket.on('error', () => {})
  })
}

/** Parses the responses, without interim ones (RFC 9112). Responses to HEAD have no body. */
export function responsesIn({ bytes }: Received, isHead = false): Response[] {
  const responses: Response[] = []
  let rest = bytes.toString('latin1')
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1])
    if (end === -1 || !status) throw new Error(`no HTTP: ${rest.slice(0, 200)}`)
    const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/).slice(0, 2) as [string, string]))
    rest = rest.slice(end + 4)
    if (status < 200) continue
    const length = isHead || status === 204 ? 0 : Number(headers.get('content-length') ?? rest.length)
    const body = Buffer.from(rest.slice(0, length), 'latin1')
    rest = rest.slice(length)
    responses.push(new Response(body.length > 0 ? body : null, { status, headers }))
  }
  return responses
}

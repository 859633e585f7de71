import { connect } from 'node:net'
import { PATIENCE } from './held.ts'

/** What a server wrote until it closed, or until it had been silent for too long. */
export interface Heard {
  readonly bytes: Buffer
  readonly isClosed: boolean
  readonly ms: number
}

interface Manner {
  /** Whether the writing side is closed behind the bytes. */
  readonly half?: boolean
  /** Written once the first answer is heard. */
  readonly after?: string
}

/** Writes bytes to a port as they are, and hears what comes back. */
export function say(port: number, bytes: Buffer, { half = false, after }: Manner = {}): Promise<Heard> {
  const began = performance.now()
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => (half ? socket.end(bytes) : socket.write(bytes)))
    const end = (isClosed: boolean) => {
      resolve({ bytes: Buffer.concat(parts), isClosed, ms: performance.now() - began })
      socket.destroy()
    }
    socket.setTimeout(PATIENCE, () => end(false))
    socket.on('data', (part) => parts.push(part))
    if (after) socket.once('data', () => socket.write(after))
    socket.on('close', () => end(true))
    // A server that refuses may reset what is still on its way; what it said before counts.
    socket.on('error', () => {})
  })
}

/** The answers in what was heard, without interim ones (RFC 9112). Those to HEAD have no body. */
export function answersIn({ bytes }: Heard, isHead = false): Response[] {
  const answers: Response[] = []
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
    answers.push(new Response(body.length > 0 ? body : null, { status, headers }))
  }
  return answers
}

import { createServer, type Socket } from 'node:net'

/** A completely read request. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly head: string
  readonly body: string
}

/**
 * Starts a server that reads each request completely, and lets `respond` write any bytes. It never
 * closes a connection by itself. `greet` is called for each connection.
 */
export async function startRawServer(
  respond: (socket: Socket, request: Received) => unknown,
  greet: (socket: Socket) => unknown = () => {},
) {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    connections++
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    greet(socket)
    let unread = ''
    socket.setEncoding('latin1').on('data', (data) => {
      unread += data
      for (let request = requestIn(unread); request; request = requestIn(unread)) {
        unread = unread.slice(request.length)
        respond(socket, request)
      }
    })
  })
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go))
  const { port } = server.address() as { port: number }
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, connections: () => connections, close }
}

/** The first complete request in the received text. */
function requestIn(text: string) {
  const end = text.indexOf('\r\n\r\n') + 4
  const head = text.slice(0, end)
  const [, method = '', path = ''] = /^(\w+) (\S+)/.exec(head) ?? []
  const declared = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  const isChunked = /^transfer-encoding: *chunked/im.test(head)
  const last = isChunked ? text.indexOf('0\r\n\r\n', end) + 5 : end + declared
  if (end < 4 || last < end || text.length < last) return undefined
  const body = text.slice(end, last)
  return { method, path, head, body: isChunked ? body.replace(/^.*\r\n/, '') : body, length: last }
}

/** A response with its content-length. */
export function message(status: number, body: string | Buffer, headers = ''): Buffer {
  const bytes = Buffer.from(body as string)
  const head = `HTTP/1.1 ${status} X\r\n${headers}content-length: ${bytes.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

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
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    greet(socket)

    let unread = ''
    socket.setEncoding('latin1')
    socket.on('data', (data) => {
      unread += data
      for (let request = requestIn(unread); request; request = requestIn(unread)) {
        unread = unread.slice(request.length)
        respond(socket, request)
      }
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, connections: () => connections, close }
}

/** The first complete request in the received text, with its length. */
function requestIn(text: string): (Received & { readonly length: number }) | undefined {
  const emptyLine = text.indexOf('\r\n\r\n')
  if (emptyLine < 0) return undefined

  const start = emptyLine + 4
  const head = text.slice(0, start)
  const [, method = '', path = ''] = /^(\w+) (\S+)/.exec(head) ?? []
  const isChunked = /^transfer-encoding: *chunked/im.test(head)
  const end = isChunked ? endOfChunks(text, start) : start + contentLengthOf(head)
  if (end === undefined || text.length < end) return undefined

  const content = text.slice(start, end)
  return {
    method,
    path,
    head,
    // Without the line that has the length of the first chunk.
    body: isChunked ? content.replace(/^.*\r\n/, '') : content,
    length: end,
  }
}

function contentLengthOf(head: string): number {
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(head) ?? []
  return Number(length)
}

/** Where the last chunk ends; `undefined` if it has not arrived. */
function endOfChunks(text: string, start: number): number | undefined {
  const lastChunk = text.indexOf('0\r\n\r\n', start)
  return lastChunk < 0 ? undefined : lastChunk + 5
}

/** A response with its content-length. */
export function message(status: number, body: string | Buffer, headers = ''): Buffer {
  const bytes = Buffer.from(body as string)
  const head = `HTTP/1.1 ${status} X\r\n${headers}content-length: ${bytes.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

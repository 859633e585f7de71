import { createServer, type Socket } from 'node:net'

/** A completely read request. */
interface Received {
  readonly method: string
  /** The first segment of the path. */
  readonly scenario: string
  readonly head: string
  readonly body: string
}

/** Writes the response to a request. `isFirst` is true for the first request of a scenario and method. */
type Scenario = (socket: Socket, request: Received, isFirst: boolean) => void

/** The last response of each connection. */
const surplus = new WeakMap<Socket, string>()

/** Ways in which a server or proxy may treat a request of effect `once` after reading it. */
const SCENARIOS = {
  misdirected: (socket, _, isFirst) => socket.write(isFirst ? problem(421) : problem(422)),
  closed: firstOnly((socket) => socket.end()),
  reset: firstOnly((socket) => socket.resetAndDestroy()),
  cutHead: firstOnly((socket) => socket.end('HTTP/1.1 201 Created\r\ncontent-le')),
  cutBody: firstOnly((socket) => socket.end(created('1').slice(0, -5))),
  redirected: firstOnly((socket) => socket.write(message(307, '', 'location: /closed\r\n'))),
  timedOut: firstOnly((socket) => socket.end(message(408, '{"status":408}', 'connection: close\r\n'))),
  continued: firstOnly((socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${created('1')}`)),
  hinted: firstOnly((socket) => socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${created('1')}`)),
  switched: firstOnly((socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n')),
  challenged: firstOnly((socket) =>
    socket.write(message(407, '', 'proxy-authenticate: Basic realm="x"\r\n')),
  ),
  garbled: firstOnly((socket) => socket.write(message(201, '{"id":"1"}', 'content-encoding: gzip\r\n'))),
  shortened: firstOnly((socket) => socket.write(created('1').replace(/length: \d+/, 'length: 9'))),
  nameless: firstOnly((socket) => socket.end('\r\n\r\n')),
  /** For a `fetch` that retries. */
  dropped: firstOnly((socket) => socket.destroy()),
  /** Repeats each response when the connection receives another request. */
  doubled: (socket, { body }) => {
    const own = created(JSON.parse(body).description)
    socket.write((surplus.get(socket) ?? '') + own)
    surplus.set(socket, own)
  },
} satisfies Readonly<Record<string, Scenario>>

/** Scenarios after which a layer below the client may send the request again. */
export const REPEATING = Object.keys(SCENARIOS).filter((name) => name !== 'dropped' && name !== 'doubled')

/** Starts a socket server that counts the requests by `<scenario> <method>`. A GET succeeds. */
export async function startCountingServer() {
  const counts: Record<string, number> = {}
  const sockets = new Set<Socket>()
  const respond = (socket: Socket, request: Received) => {
    const { scenario, method } = request
    if (method === 'GET') return void socket.write(message(200, '{"users":[]}'))
    const name = `${scenario} ${method}`
    counts[name] = (counts[name] ?? 0) + 1
    SCENARIOS[scenario as keyof typeof SCENARIOS](socket, request, counts[name] === 1)
  }
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
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
  return { url: `http://127.0.0.1:${port}`, counts, close }
}

/** The first complete request in the received text. */
function requestIn(text: string) {
  const end = text.indexOf('\r\n\r\n') + 4
  const head = text.slice(0, end)
  const [, method = '', scenario = ''] = /^(\w+) \/(\w+)/.exec(head) ?? []
  const declared = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  const isChunked = /^transfer-encoding: *chunked/im.test(head)
  const last = isChunked ? text.indexOf('0\r\n\r\n', end) + 5 : end + declared
  if (end < 4 || last < end || text.length < last) return undefined
  const body = text.slice(end, last)
  return { method, scenario, head, body: isChunked ? body.replace(/^.*\r\n/, '') : body, length: last }
}

/** Refuses a repeated request, as if nothing had been carried out. */
function firstOnly(first: (socket: Socket) => unknown): Scenario {
  return (socket, _, isFirst) => (isFirst ? first(socket) : socket.write(problem(422)))
}

function created(id: string): string {
  return message(201, JSON.stringify({ id, status: 'settled', data: { id } }))
}

function problem(status: number): string {
  const body = { type: 'about:blank', title: 'Refused', status, detail: '', code: 'refused', request_id: 'r' }
  return message(status, JSON.stringify(body), 'content-type: application/problem+json\r\n')
}

function message(status: number, body: string, headers = ''): string {
  return `HTTP/1.1 ${status} Status\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`
}

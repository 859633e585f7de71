import type { Socket } from 'node:net'
import { message, type Received, startRawServer } from './raw-server.ts'

/**
 * Writes the response to a request. `isFirst` is true for the first request of a scenario and
 * method.
 */
type Scenario = (socket: Socket, request: Received, isFirst: boolean) => unknown

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
  timedOut: firstOnly((socket) =>
    socket.end(message(408, '{"status":408}', 'connection: close\r\n')),
  ),
  continued: firstOnly((socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${created('1')}`)),
  hinted: firstOnly((socket) => socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${created('1')}`)),
  switched: firstOnly((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
  ),
  challenged: firstOnly((socket) =>
    socket.write(message(407, '', 'proxy-authenticate: Basic realm="x"\r\n')),
  ),
  garbled: firstOnly((socket) =>
    socket.write(message(201, '{"id":"1"}', 'content-encoding: gzip\r\n')),
  ),
  shortened: firstOnly((socket) => socket.write(created('1').replace(/length: \d+/, 'length: 9'))),
  nameless: firstOnly((socket) => socket.end('\r\n\r\n')),
  /** For a `fetch` that retries. */
  dropped: firstOnly((socket) => socket.destroy()),
  /** Repeats each response when the connection receives another request. */
  doubled: (socket, { body }) => {
    const response = created(JSON.parse(body).description)
    const previous = surplus.get(socket) ?? ''
    socket.write(previous + response)
    surplus.set(socket, response)
  },
} satisfies Readonly<Record<string, Scenario>>

/** Scenarios after which no layer below the client sends the request again. */
const NOT_REPEATING: ReadonlySet<string> = new Set(['dropped', 'doubled'])

/** Scenarios after which a layer below the client may send the request again. */
export const REPEATING = Object.keys(SCENARIOS).filter((name) => !NOT_REPEATING.has(name))

/**
 * Starts a server that counts the requests by `<scenario> <method>`; the path begins with the
 * scenario. A GET succeeds.
 */
export async function startCountingServer() {
  const counts: Record<string, number> = {}
  const server = await startRawServer((socket, request) => {
    const { method, path } = request
    if (method === 'GET') return socket.write(message(200, '{"users":[]}'))
    const [, scenario] = path.split('/')
    const name = `${scenario} ${method}`
    const count = (counts[name] ?? 0) + 1
    counts[name] = count
    const isFirst = count === 1
    return SCENARIOS[scenario as keyof typeof SCENARIOS](socket, request, isFirst)
  })
  return { ...server, counts }
}

/** Refuses a repeated request, as if nothing had been carried out. */
function firstOnly(first: (socket: Socket) => unknown): Scenario {
  return (socket, _, isFirst) => {
    if (isFirst) return first(socket)
    return socket.write(problem(422))
  }
}

function created(id: string): string {
  const body = JSON.stringify({ id, status: 'settled', data: { id, amount: '10.50' } })
  return message(201, body).toString()
}

export function problem(status: number): Buffer {
  const body = {
    type: 'about:blank',
    title: 'Refused',
    status,
    detail: '',
    code: 'refused',
    request_id: 'r',
  }
  return message(status, JSON.stringify(body), 'content-type: application/problem+json\r\n')
}

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Requests that may wait on a connection at most; one that sends more is closed. */
const WAITING = 32

/** The requests of every connection, in the order in which they came. */
export interface Connections {
  /**
   * Starts a request once the responses before it on its connection are sent (RFC 9112, section 9.3.2). So a
   * connection has one response in memory, and one that does not read gets nothing more done.
   */
  add(response: ServerResponse, start: () => void): void
  /** Whether a request of the connection is in progress. */
  isBusy(socket: Duplex): boolean
  /**
   * Resolves once the complete requests of a connection are responded to: a refusal of what is unreadable behind them
   * would be taken for the response to one of them. The value tells whether the refusal can be sent: not where the
   * response to the same request has begun.
   */
  turn(socket: Duplex): Promise<boolean>
}

interface Pending {
  readonly response: ServerResponse
  readonly start: () => void
}

export function createConnections(): Connections {
  const queues = new WeakMap<Duplex, Pending[]>()
  const latest = new WeakMap<Duplex, ServerResponse>()
  const startSoon = createTurns()
  return {
    add(response, start) {
      const { socket } = response.req
      const queue = queues.get(socket) ?? []
      queues.set(socket, queue)
      if (queue.length > WAITING) return void socket.destroy()
      queue.push({ response, start })
      latest.set(socket, response)
      response.once('close', () => proceed(socket, queue, startSoon))
      if (queue.length === 1) start()
      else pauseLater(socket, queue)
    },
    isBusy: (socket) => (queues.get(socket)?.length ?? 0) > 0,
    async turn(socket) {
      const complete = (queues.get(socket) ?? []).filter(({ response }) => response.req.complete)
      const last = latest.get(socket)
      await Promise.all(
        complete.map(({ response }) => new Promise((resolve) => response.once('close', resolve))),
      )
      return !last || last.req.complete || !last.headersSent
    },
  }
}

/** Goes on to the next request of a connection, if there is still someone to respond to. */
function proceed(socket: Socket, queue: Pending[], startSoon: (start: () => void) => void): void {
  queue.shift()
  if (socket.destroyed) queue.length = 0
  const [next] = queue
  if (!next) return
  if (queue.length > 1) pauseLater(socket, queue)
  else socket.resume()
  startSoon(() => socket.destroyed || next.start())
}

/** Reads no more while requests wait. Later, because Node resumes a socket at the end of each request. */
function pauseLater(socket: Socket, queue: Pending[]): void {
  process.nextTick(() => queue.length > 1 && socket.pause())
}

/** Starts what has waited, one at each turn of the event loop, which accepts one connection at each. */
function createTurns(): (start: () => void) => void {
  const ready: (() => void)[] = []
  function startOne(): void {
    const [start] = ready
    start?.()
    ready.shift()
    if (ready.length > 0) setImmediate(startOne)
  }
  return (start) => {
    if (ready.push(start) === 1) setImmediate(startOne)
  }
}

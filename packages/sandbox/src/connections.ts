import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Maximum of requests that wait on one connection. A client that sends more is disconnected. */
const MAX_WAITING = 32

interface Pending {
  readonly response: ServerResponse
  readonly start: () => void
}

export type Connections = ReturnType<typeof createConnections>

/**
 * Runs the requests of each connection in the order they arrive, one after the other, although a
 * client may send the next one before the response to the first.
 */
export function createConnections() {
  // The requests of each connection without a whole response; the first of them is running.
  const queues = new WeakMap<Duplex, Pending[]>()
  // The response to the last request that arrived on each connection.
  const latest = new WeakMap<Duplex, ServerResponse>()
  const startSoon = createTurns()
  return {
    /**
     * Starts a request after the previous responses on its connection were sent (RFC 9112, section
     * 9.3.2). So each connection has one response in memory, and a client that does not read gets
     * no further work done.
     */
    add(response: ServerResponse, start: () => void): void {
      const { socket } = response.req
      const queue = queues.get(socket) ?? []
      queues.set(socket, queue)
      // A client that sends on and on without reading its responses.
      if (queue.length > MAX_WAITING) {
        socket.destroy()
        return
      }

      queue.push({ response, start })
      latest.set(socket, response)
      response.once('close', () => proceed(socket, queue, startSoon))
      const isFirst = queue.length === 1
      if (isFirst) start()
      // Read no further requests until the earlier ones are done.
      else pauseLater(socket, queue)
    },
    isBusy: (socket: Duplex) => (queues.get(socket)?.length ?? 0) > 0,
    /**
     * Waits until every complete request of a connection has its response. Call it before you refuse
     * bytes that cannot be read: a client takes what arrives for the response to its oldest request.
     *
     * @returns whether a refusal can be sent: not after a response to the unreadable bytes has begun
     */
    async waitForTurn(socket: Duplex): Promise<boolean> {
      const queue = queues.get(socket) ?? []
      // Those that arrived whole.
      const complete = queue.filter(({ response }) => response.req.complete)
      const lastResponse = latest.get(socket)
      await Promise.all(complete.map(({ response }) => closed(response)))

      // Then the bytes after it never became a request, and have no response.
      const isLastRequestComplete = lastResponse?.req.complete ?? true
      if (isLastRequestComplete) return true

      // Its bytes are those that cannot be read.
      const hasResponseBegun = lastResponse?.headersSent
      return !hasResponseBegun
    },
  }
}

/** Resolves when a response was sent, or its connection ended. */
function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve))
}

/**
 * Removes the request that just ended from the queue of a connection, and starts the next one,
 * unless the client is gone.
 *
 * @param startSoon runs the function that starts a request, in a later turn of the event loop
 */
function proceed(socket: Socket, queue: Pending[], startSoon: (start: () => void) => void): void {
  queue.shift()
  if (socket.destroyed) {
    queue.length = 0
    return
  }

  const [next] = queue
  if (!next) return

  // Read on once no request waits but the next one.
  const doOthersWait = queue.length > 1
  if (doOthersWait) pauseLater(socket, queue)
  else socket.resume()
  startSoon(() => {
    if (!socket.destroyed) next.start()
  })
}

/**
 * Stops reading while requests wait. Deferred, because Node resumes a socket at the end of each
 * request.
 */
function pauseLater(socket: Socket, queue: Pending[]): void {
  process.nextTick(() => {
    if (queue.length > 1) socket.pause()
  })
}

/**
 * Returns a function that starts waiting requests one by one, each in its own turn of the event
 * loop. The loop accepts one connection per turn, so starting all at once would delay new clients.
 */
function createTurns(): (start: () => void) => void {
  const ready: (() => void)[] = []
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(startOne)
  }

  function startOne(): void {
    isScheduled = false
    const start = ready.shift()
    if (ready.length > 0) schedule()
    start?.()
  }

  return (start) => {
    ready.push(start)
    schedule()
  }
}

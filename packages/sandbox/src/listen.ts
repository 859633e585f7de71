import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import manifest from '../package.json' with { type: 'json' }
import { type Connections, createConnections } from './connections.ts'
import { endConnection, isCut } from './control/faults/fault.ts'
import { fromAddress } from './operation/source.ts'
import { endUnreadable, respondUnreadable, UnreadableRequest } from './service/unreadable.ts'

export type Fetch = (request: Request) => Promise<Response>

export interface ListenOptions {
  readonly fetch: Fetch
  /** 0 chooses a free port. */
  readonly port: number
  readonly host: string
  /**
   * Whether the sandbox is alone in the process. If so, it replaces the global `Request` and
   * `Response` by faster ones. Off by default.
   */
  readonly ownsProcess?: boolean
  readonly limits?: Limits
}

export interface Limits {
  /**
   * Milliseconds after which a client that does not read its response is disconnected; 10,000 by
   * default.
   */
  readonly stallMs?: number
  /** Maximum concurrent connections; 2,000 by default. Further ones are closed. */
  readonly connections?: number
}

export interface Listening {
  /** Without a trailing slash. */
  readonly url: string
  /**
   * Refuses new requests, and resolves once those in progress have their response. The rest is cut
   * after `graceMs`.
   */
  close(graceMs?: number): Promise<void>
}

/** Milliseconds between checks for idle connections while closing. */
const SWEEP_MS = 50
const SETTINGS = {
  // Milliseconds for the request headers to arrive, and for the whole request.
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  // The listener returns a problem for a request without Host; Node would send an empty 400.
  requireHostHeader: false,
}

/**
 * Serves a function from request to response over HTTP, with a limit on every wait. Resolves when
 * the port accepts connections.
 *
 * @throws {Error} with code EADDRINUSE if the port is in use
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { fetch, port, host, ownsProcess = false, limits = {} } = options
  const { stallMs = 10_000, connections: maxConnections = 2_000 } = limits
  const listener = getRequestListener(createResponder(fetch), {
    overrideGlobalObjects: ownsProcess,
    errorHandler: respondUnreadable,
  })
  const connections = createConnections()
  // `connections` starts it after the responses to earlier requests on its connection.
  function respond(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // By this the checker knows a sandbox, whose responses are no evidence of the service.
    outgoing.setHeader('server', SERVER)
    connections.add(outgoing, () => void listener(incoming, outgoing))
  }

  const server = createServer(SETTINGS, respond)
  server.maxConnections = maxConnections
  // Connections on which nothing happens for `stallMs`.
  endStalled(server, connections, stallMs)

  // Without a listener, Node refuses these three with an empty response.
  server.on('checkExpectation', respond)
  server.on('connect', ({ socket }) => endTunnel(socket, connections, stallMs))
  server.on('clientError', (error, socket) => endInvalid(error, socket, connections))

  server.listen(port, host)
  await once(server, 'listening')
  return { url: formatUrl(server), close: (graceMs = 10_000) => stop(server, graceMs) }
}

/**
 * Ends connections on which no data moved for `stallMs`. A request in progress may take longer if
 * its client reads.
 */
function endStalled(server: Server, connections: Connections, stallMs: number): void {
  server.setTimeout(stallMs, (socket) => {
    // Bytes of a response that the client does not read.
    const isUnread = socket.writableLength > 0
    const isIdle = !connections.isBusy(socket)
    if (isUnread || isIdle) socket.destroy()
  })
}

/**
 * Refuses CONNECT, which asks a proxy for a tunnel (RFC 9110, section 9.3.6), and ends the
 * connection. Earlier requests on it get their responses first.
 */
async function endTunnel(socket: Socket, connections: Connections, stallMs: number): Promise<void> {
  // Node no longer handles this socket, so handle its errors and timeout here.
  socket.on('error', () => {})
  socket.setTimeout(stallMs, () => socket.destroy())

  await connections.waitForTurn(socket)
  await endUnreadable(new UnreadableRequest('CONNECT'), socket)
}

/** Refuses bytes that are not HTTP, or did not arrive in time. */
async function endInvalid(error: Error, socket: Duplex, connections: Connections): Promise<void> {
  const canRefuse = await connections.waitForTurn(socket)
  if (canRefuse) await endUnreadable(error, socket)
  else socket.destroy()
}

/** How programs tell a sandbox from a service (RFC 9110, section 10.2.4). */
const SERVER = `partner-payments-sandbox/${manifest.version}`

type Incoming = Pick<IncomingMessage, 'rawHeaders' | 'socket'>

/**
 * Returns the function that responds to a request. It ends the connection instead if a fault rule
 * of a tester cuts the response.
 */
function createResponder(fetch: Fetch) {
  return async (request: Request, { incoming }: { readonly incoming: Incoming }) => {
    if (hasSeveralHosts(incoming)) throw new UnreadableRequest('HOST')

    // The limit of failed sign-ins counts by the address of the client.
    const response = await fromAddress(incoming.socket.remoteAddress, () => fetch(request))
    if (!isCut(response)) return response

    endConnection(incoming.socket, response)
    return RESPONSE_ALREADY_SENT
  }
}

/**
 * Whether a request has several Host headers. Node uses the first, but a proxy might use another
 * (RFC 9112, section 3.2).
 */
function hasSeveralHosts({ rawHeaders }: Incoming): boolean {
  // Names and values take turns.
  const names = rawHeaders.filter((_, i) => i % 2 === 0)
  const hosts = names.filter((name) => name.toLowerCase() === 'host')
  return hosts.length > 1
}

/** The URL of a server, such as `http://[::1]:4020`. */
function formatUrl(server: Server): string {
  // A server that listens on a port has an AddressInfo.
  const { address, family, port } = server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}

/**
 * Stops accepting connections, and resolves when all have ended. Those that take longer than
 * `graceMs` are cut.
 */
async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // Connections that became idle meanwhile would be kept alive, and closing would wait for them.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createConnections } from './connections.ts'
import { cut } from './control/faults/fault.ts'
import { fromAddress } from './operation/source.ts'
import { refuseOnSocket, unreadable } from './service/unreadable.ts'

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
 * Serves over HTTP, with a limit on every wait.
 *
 * @throws {Error} with code EADDRINUSE if the port is in use
 */
export async function listen({
  fetch,
  port,
  host,
  ownsProcess = false,
  limits: { stallMs = 10_000, connections: maxConnections = 2_000 } = {},
}: ListenOptions): Promise<Listening> {
  const listener = getRequestListener(responding(fetch), {
    overrideGlobalObjects: ownsProcess,
    errorHandler: unreadable,
  })
  const connections = createConnections()
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    connections.add(outgoing, () => void listener(incoming, outgoing))
  const server = createServer(SETTINGS, respond)
  server.maxConnections = maxConnections
  // No data moved on the connection for stallMs. A request in progress may take longer if its
  // client reads.
  server.setTimeout(stallMs, (socket) => {
    if (socket.writableLength > 0 || !connections.isBusy(socket)) socket.destroy()
  })
  // Without a listener, Node refuses these with an empty response.
  server.on('checkExpectation', respond)
  server.on('connect', async ({ socket }) => {
    // Node no longer handles this socket, so handle its errors and timeout here.
    socket.on('error', () => {}).setTimeout(stallMs, () => socket.destroy())
    await connections.turn(socket)
    await refuseOnSocket(Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket)
  })
  server.on('clientError', async (error, socket) => {
    if (await connections.turn(socket)) await refuseOnSocket(error, socket)
    else socket.destroy()
  })
  server.listen(port, host)
  await once(server, 'listening')
  return { url: urlOf(server), close: (graceMs = 10_000) => stop(server, graceMs) }
}

type Incoming = Pick<IncomingMessage, 'rawHeaders' | 'socket'>

/** Writes the response, or ends the connection if there is to be none. */
function responding(fetch: Fetch) {
  return async (request: Request, { incoming }: { readonly incoming: Incoming }) => {
    if (hasSeveralHosts(incoming))
      throw Object.assign(new Error('several Host headers'), { code: 'HOST' })
    const response = await fromAddress(incoming.socket.remoteAddress, () => fetch(request))
    return cut(response, incoming.socket) ? RESPONSE_ALREADY_SENT : response
  }
}

/**
 * Of several Host headers, Node uses the first, but a proxy might use another (RFC 9112, section
 * 3.2).
 */
function hasSeveralHosts({ rawHeaders }: Incoming): boolean {
  return rawHeaders.filter((text, i) => i % 2 === 0 && /^host$/i.test(text)).length > 1
}

function urlOf(server: Server): string {
  // A server that listens on a port has an AddressInfo.
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

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

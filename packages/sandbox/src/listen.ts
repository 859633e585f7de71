import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createConnections } from './connections.ts'
import { cut } from './control/faults/cut.ts'
import { fromAddress } from './operation/source.ts'
import { refuseConnect, refuseOnSocket, unreadable } from './service/unreadable.ts'

/** Answers a request, as `Request` to `Response`. */
export type Fetch = (request: Request) => Promise<Response>

export interface ListenOptions {
  readonly fetch: Fetch
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  /**
   * Whether the process is the sandbox's alone: then its global `Request` and `Response` become quicker ones. Off by
   * default.
   */
  readonly ownsProcess?: boolean
  readonly limits?: Limits
}

/** What clients may take up. */
export interface Limits {
  /** Milliseconds after which a client that reads nothing of its response is cut off; 10,000 by default. */
  readonly stallMs?: number
  /** Connections at a time; 2,000 by default. One more is closed. */
  readonly connections?: number
}

/** A server that listens. */
export interface Listening {
  /** Without a slash at the end. */
  readonly url: string
  /** Takes no more requests, and ends once those under way are answered; what is left after `graceMs` is cut. */
  close(graceMs?: number): Promise<void>
}

/** Milliseconds for the headers of a request to arrive, and for all of it. */
const HEADERS_MS = 5_000
const REQUEST_MS = 15_000
const GRACE_MS = 10_000
const STALL_MS = 10_000
const CONNECTIONS = 2_000
/** Milliseconds between looks for connections that have nothing left to do, while closing. */
const SWEEP_MS = 50
const SETTINGS = {
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  // Of a request without a host, the listener makes a problem; Node would refuse it with no body.
  requireHostHeader: false,
}

/**
 * Serves over HTTP, with a limit on every wait.
 *
 * @throws {Error} with code EADDRINUSE when the port is taken
 */
export async function listen({
  fetch,
  port,
  host,
  ownsProcess = false,
  limits: { stallMs = STALL_MS, connections: maxConnections = CONNECTIONS } = {},
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
  // Nothing has moved on the connection for so long. A request in progress may take longer, if its client reads.
  server.setTimeout(stallMs, (socket) => {
    if (socket.writableLength > 0 || !connections.isBusy(socket)) socket.destroy()
  })
  // Where nobody listens, Node refuses these by itself, with no body.
  server.on('checkExpectation', respond)
  server.on('connect', async ({ socket }) => {
    // Node has let go of this socket: its errors and its silence are ours.
    socket.on('error', () => {}).setTimeout(stallMs, () => socket.destroy())
    await connections.turn(socket)
    await refuseConnect(socket)
  })
  server.on('clientError', async (error, socket) => {
    if (await connections.turn(socket)) await refuseOnSocket(error, socket)
    else socket.destroy()
  })
  server.listen(port, host)
  await once(server, 'listening')
  return { url: urlOf(server), close: (graceMs = GRACE_MS) => stop(server, graceMs) }
}

type Incoming = Pick<IncomingMessage, 'rawHeaders' | 'socket'>

/** Responds, or ends the connection where there is to be no response. */
function responding(fetch: Fetch) {
  return async (request: Request, { incoming }: { readonly incoming: Incoming }) => {
    if (hasSeveralHosts(incoming)) throw Object.assign(new Error('several Host headers'), { code: 'HOST' })
    const response = await fromAddress(incoming.socket.remoteAddress, () => fetch(request))
    return cut(response, incoming.socket) ? RESPONSE_ALREADY_SENT : response
  }
}

/** Of several, Node takes the first, and a proxy before it may take another (RFC 9112, section 3.2). */
function hasSeveralHosts({ rawHeaders }: Incoming): boolean {
  return rawHeaders.filter((text, i) => i % 2 === 0 && /^host$/i.test(text)).length > 1
}

function urlOf(server: Server): string {
  // A server that listens on a port has an address of this kind.
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  // What was answered meanwhile would be kept alive, and closing would wait for that.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { cuttable } from './control/faults/cut.ts'
import { refuseOnSocket, unreadable } from './service/unreadable.ts'

/** Answers a request, as `Request` to `Response`. */
export type Fetch = (request: Request) => Promise<Response>

export interface ListenOptions {
  readonly fetch: Fetch
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
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
const SWEEP_MS = 50

/**
 * Serves over HTTP, with a limit on every wait.
 *
 * @throws {Error} with code EADDRINUSE when the port is taken
 */
export async function listen({ fetch, port, host }: ListenOptions): Promise<Listening> {
  const listener = getRequestListener(cuttable(fetch), {
    overrideGlobalObjects: false,
    errorHandler: unreadable,
  })
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 5_000,
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  )
  server.on('clientError', (error, socket) => void refuseOnSocket(error, socket))
  server.listen(port, host)
  await once(server, 'listening')
  return { url: urlOf(server), close: (graceMs = GRACE_MS) => stop(server, graceMs) }
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

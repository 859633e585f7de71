import { readFileSync } from 'node:fs'
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { TLSSocket, TlsOptions } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { message } from './raw-server.ts'

const TLS = new URL('./tls/', import.meta.url)

/** The path of a certificate or key of `tls`. */
export function tlsFile(name: string): string {
  return fileURLToPath(new URL(name, TLS))
}

/** The path of the certificate that signed those of the servers and clients of tests. */
export const CA = tlsFile('ca.pem')

function readTls(name: string): string {
  return readFileSync(tlsFile(name), 'utf8')
}

/** A request as the server received it. */
export interface Arrival {
  readonly scenario: string
  readonly method: string
  readonly path: string
  readonly version: string
  /** The number of its connection, from 1. */
  readonly connection: number
}

const USERS = JSON.stringify({ user_id: 'u', users: [] })
const TOKENS = JSON.stringify({ access_token: 't', refresh_token: 'r', expiration: 3600 })
const PAID = JSON.stringify({ id: 't', status: 'settled', data: { amount: '10.50' } })
const REFUSED = JSON.stringify({ type: 'about:blank', title: 'Refused', status: 422 })

/**
 * Starts a server that offers HTTP/2 and HTTP/1.1 over TLS (ALPN), as most services do. The path
 * begins with a scenario:
 *
 * - `plain`: every request succeeds.
 * - `ending`: the server ends a connection that was kept alive when a payment arrives on it.
 * - `stray`: over HTTP/1.1 the server writes a success of a payment after the response to each read;
 *   payments are refused.
 */
export async function startConnectionServer(more: TlsOptions = {}) {
  const arrivals: Arrival[] = []
  const sockets: TLSSocket[] = []
  // By the port of the client, which the next connection may have again.
  const numbers = new Map<number, number>()

  const tls = { key: readTls('server.key'), cert: readTls('server.pem'), ...more }
  const server = createSecureServer({ ...tls, allowHTTP1: true }, receive)
  server.on('secureConnection', (socket: TLSSocket) => {
    const number = sockets.push(socket)
    numbers.set(socket.remotePort ?? 0, number)
    socket.on('error', () => {})
  })
  server.on('session', (session) => session.on('error', () => {}))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))

  function receive(request: Http2ServerRequest, response: Http2ServerResponse): void {
    request.resume()
    request.on('error', () => {})
    request.on('end', () => respond(request, response))
  }

  function respond(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { method, url, httpVersion: version } = request
    const [, scenario = '', ...path] = url.split('/')
    const connection = numbers.get(request.socket.remotePort ?? 0) ?? 0
    const socket = sockets[connection - 1]
    const wasUsed = arrivals.some((arrival) => arrival.connection === connection)
    arrivals.push({ scenario, method, path: path.join('/'), version, connection })

    const isPayment = method === 'POST' && url.includes('/pix/out/')
    if (scenario === 'ending' && isPayment && wasUsed) {
      socket?.destroy()
      return
    }

    response.setHeader('content-type', 'application/json')
    if (!isPayment) {
      const body = url.includes('/auth/') ? TOKENS : USERS
      response.end(body, () => {
        if (scenario === 'stray' && version === '1.1') socket?.write(message(201, PAID))
      })
      return
    }

    if (scenario === 'stray') {
      response.setHeader('content-type', 'application/problem+json')
      response.statusCode = 422
      response.end(REFUSED)
      return
    }

    response.statusCode = 201
    response.end(PAID)
  }

  return {
    url: `https://127.0.0.1:${portOf(server)}`,
    /** The requests of a scenario, in the order of their arrival. */
    arrivalsOf: (scenario: string) => arrivals.filter((arrival) => arrival.scenario === scenario),
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** What is wrong with the connections of `plain` requests. */
export function misusesIn(arrivals: readonly Arrival[]): string[] {
  const isRead = ({ method }: Arrival) => method === 'GET'
  const reads = arrivals.filter(isRead)
  const others = arrivals.filter((arrival) => !isRead(arrival))
  const problems: string[] = []
  for (const { connection, path, version } of others) {
    const together = arrivals.filter((arrival) => arrival.connection === connection)
    if (together.length > 1) problems.push(`${path} shared its connection`)
    if (version !== '1.1') problems.push(`${path} was sent over HTTP/${version}`)
  }

  const readConnections = new Set(reads.map(({ connection }) => connection))
  // A read may begin before the connection of the one before is free again.
  const canShare = readConnections.size <= 2
  if (!canShare) problems.push(`${reads.length} reads used ${readConnections.size} connections`)
  return problems
}

function portOf(server: Http2SecureServer): number {
  return (server.address() as AddressInfo).port
}

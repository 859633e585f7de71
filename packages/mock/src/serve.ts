import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import manifest from '../package.json' with { type: 'json' }
import { HOST, PORT } from './defaults.ts'
import { endTunnel, endUnreadable, respondInvalid } from './invalid-requests.ts'
import { createMock, type Mock, type MockOptions } from './mock.ts'

/** Options of a mock server. */
export interface ServeOptions extends MockOptions {
  /** Default: 4010. 0 selects a free port. */
  port?: number
  /** Default: 127.0.0.1, so that only this machine can reach the mock. */
  host?: string
  /**
   * Milliseconds until an incomplete request is refused and its connection closed. Default: 10,000.
   */
  timeout?: number
}

/** A running mock server. */
export interface RunningMock {
  /** The base URL without a trailing slash. */
  url: string
  /** Serves other documents on the same socket. If it rejects, the old mock stays active. */
  reload(contract: object | readonly object[]): Promise<void>
  /** Stops listening and closes every connection. */
  close(): Promise<void>
}

/**
 * Serves the mock over HTTP.
 *
 * @example
 * const mock = await serve({ port: 0 })
 * await fetch(`${mock.url}/mobile-bff/v1/partner/user`, { headers: { authorization: 'Bearer any' } })
 * await mock.close()
 *
 * @throws {Error} with code EADDRINUSE if the port is in use; other errors like createMock
 */
export async function serve(options: ServeOptions = {}): Promise<RunningMock> {
  const { port = PORT, host = HOST, timeout = 10_000, ...mockOptions } = options
  let mock = await createMock(mockOptions)

  const server = createServer(
    {
      // Node derives the header timeout from this one.
      requestTimeout: timeout,
      // By default, Node checks for expired requests only every 30 s.
      connectionsCheckingInterval: Math.min(timeout, 1_000),
      // Node would refuse a request without Host with an empty 400.
      requireHostHeader: false,
    },
    (incoming, outgoing) => void handle(incoming, outgoing, mock),
  )
  server.on('clientError', endUnreadable)
  server.on('connect', (_, socket) => endTunnel(socket))
  await listen(server, port, host)

  return {
    url: formatUrl(server),
    async reload(contract) {
      mock = await createMock({ ...mockOptions, contract })
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

function formatUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}

/** How programs tell a mock from a service (RFC 9110, section 10.2.4). */
const SERVER = `partner-payments-mock/${manifest.version}`

/**
 * Responds to one request of Node's server by the mock. What `Request` cannot represent is refused
 * here.
 */
async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  mock: Mock,
): Promise<void> {
  const fault = hostFault(incoming)
  if (fault !== undefined) return respondInvalid(outgoing, fault)
  const request = toRequest(incoming)
  if (!request) return respondInvalid(outgoing)

  const response = await mock.fetch(request)
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  // By this the checker knows a mock, whose responses are no evidence of the service.
  outgoing.setHeader('server', SERVER)
  outgoing.end(Buffer.from(await response.arrayBuffer()))

  // Drain the rest of a refused body, or the client may never read the response.
  incoming.resume()
}

/** What is wrong with the Host of a request (RFC 9112, section 3.2); undefined if it has one. */
function hostFault({ headersDistinct }: IncomingMessage): string | undefined {
  const { host: hosts = [] } = headersDistinct
  if (hosts.length === 0) return 'The request has no Host header. Expected one.'
  if (hosts.length > 1) return 'The request has several Host headers. Expected one.'
  return undefined
}

/**
 * A message of Node's server as a `Request`; undefined if `Request` cannot represent it: TRACE, or
 * an invalid target.
 */
function toRequest(incoming: IncomingMessage): Request | undefined {
  const { method = 'GET', url = '/', headersDistinct } = incoming
  // A URL takes a backslash for a slash, which HTTP does not.
  if (url.includes('\\')) return undefined
  const target = url.startsWith('/') ? `http://mock${url}` : url

  const hasNoBody = method === 'GET' || method === 'HEAD'
  // Keeps the socket open when the iteration stops early, so that a refusal can still be sent.
  const body = hasNoBody ? null : ReadableStream.from(incoming.iterator({ destroyOnReturn: false }))

  try {
    return new Request(target, {
      method,
      headers: listHeaders(headersDistinct),
      body,
      duplex: 'half',
    })
  } catch {
    return undefined
  }
}

/** The headers of a message of Node's server as pairs; one that comes twice gives two pairs. */
function listHeaders(
  headersDistinct: IncomingMessage['headersDistinct'],
): [name: string, value: string][] {
  const headers: [name: string, value: string][] = []
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.push([name, value])
  }
  return headers
}

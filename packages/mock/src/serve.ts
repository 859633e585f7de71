import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMock, type Mock, type MockOptions } from './mock.ts'
import { refuse, refuseOnSocket } from './unreadable.ts'

/** Where a mock listens, and what it is made of. */
export interface ServeOptions extends MockOptions {
  /** 4010 by default; 0 takes a free one. */
  port?: number
  /** 127.0.0.1 by default: a mock has no business beyond its machine. */
  host?: string
  /** Milliseconds for a request to arrive whole; 10,000 by default. Then the connection is closed. */
  timeout?: number
}

/** A mock that listens. */
export interface RunningMock {
  /** Where it listens, without a slash at the end. */
  url: string
  /** Serves other documents from now on. The socket stays open, and so does the old mock if this rejects. */
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
 * @throws {Error} with code EADDRINUSE when the port is taken; as createMock when the contract cannot be read
 */
export async function serve(options: ServeOptions = {}): Promise<RunningMock> {
  const { port = 4010, host = '127.0.0.1', timeout = 10_000, ...mockOptions } = options
  let mock = await createMock(mockOptions)
  const server = createServer(
    // The headers' own limit follows from this one. Node looks for late requests every 30 s by default.
    {
      requestTimeout: timeout,
      connectionsCheckingInterval: Math.min(timeout, 1_000),
    },
    (incoming, outgoing) => void handle(incoming, outgoing, mock),
  )
  server.on('clientError', refuseOnSocket)
  await listen(server, port, host)

  return {
    url: urlOf(server),
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

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function handle(incoming: IncomingMessage, outgoing: ServerResponse, mock: Mock): Promise<void> {
  const request = toRequest(incoming)
  if (!request) return refuse(outgoing)
  const response = await mock.fetch(request)
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  outgoing.end(Buffer.from(await response.arrayBuffer()))
  // What is left of a refused body has to come off the wire, or the client may never read the answer.
  incoming.resume()
}

/** Undefined for what Node can read and Request cannot hold: TRACE, or a target that is no URL. */
function toRequest(incoming: IncomingMessage): Request | undefined {
  const { method = 'GET', url = '/', headersDistinct } = incoming
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const bodiless = method === 'GET' || method === 'HEAD'
  // An iterator that leaves the socket open when it is left early, so that a refusal still gets through.
  const body = bodiless ? null : ReadableStream.from(incoming.iterator({ destroyOnReturn: false }))
  try {
    return new Request(url.startsWith('/') ? `http://mock${url}` : url, {
      method,
      headers,
      body,
      duplex: 'half',
    })
  } catch {
    return undefined
  }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readContract } from '../model/contract.ts'
import type { HttpResponse } from '../model/http.ts'
import { createHttpTransport, type Transport } from '../transport/transport.ts'
import type { MechanicalFault } from './fault.ts'
import { createMutatingTransport } from './mutating-transport.ts'

/** A running proxy. */
export interface RunningProxy {
  /** Base URL, without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

export interface ProxyOptions {
  /** A bundled OpenAPI 3.1 document. */
  readonly contract: object
  /** Default: a free port. */
  readonly port?: number
}

/**
 * Starts a proxy on 127.0.0.1 that plants one fault in the traffic with a service.
 *
 * @example
 * const [fault] = mechanicalFaults(readContract(contract))
 * if (fault) console.log((await serveProxy('http://127.0.0.1:4020', fault, { contract })).url)
 *
 * @throws {Error} with code EADDRINUSE if the port is in use
 */
export async function serveProxy(
  target: string,
  fault: MechanicalFault,
  { contract, port = 0 }: ProxyOptions,
): Promise<RunningProxy> {
  const transport = createHttpTransport(new URL(target))
  return serveTransport(createMutatingTransport(readContract(contract), transport, fault), port)
}

/** Serves a transport on 127.0.0.1. Closing the proxy closes the transport. */
export async function serveTransport(transport: Transport, port = 0): Promise<RunningProxy> {
  const server = createServer((incoming, outgoing) => {
    // An error ends only this exchange.
    respond(transport, incoming, outgoing).catch(() => outgoing.destroy())
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${taken}`, close: () => closed(server, () => transport.close()) }
}

async function respond(
  transport: Transport,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: path = '/' } = incoming
  const text = await textOf(incoming)
  if (text === undefined) {
    outgoing.writeHead(413).end()
    return
  }
  const request = { method, path, headers: endToEnd(incoming.headers), body: text || undefined }
  write(await transport.send(request), outgoing)
}

const MAX_BODY = 20_000_000

/**
 * The body of a request; undefined if it is too long. It is always read to its end, so that the client can read the
 * response.
 */
async function textOf(incoming: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming) {
    size += part.length
    if (size <= MAX_BODY) parts.push(part)
  }
  return size > MAX_BODY ? undefined : Buffer.concat(parts).toString()
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
]

function endToEnd<Value>(headers: Readonly<Record<string, Value>>): Record<string, string> {
  const left = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name))
  return Object.fromEntries(left.map(([name, value]) => [name, String(value)]))
}

function write({ status, headers, text }: HttpResponse, outgoing: ServerResponse): void {
  if (status === 0) outgoing.destroy()
  else if (status === 204 && text) writeRaw(status, endToEnd(headers), text, outgoing)
  else outgoing.writeHead(status, endToEnd(headers)).end(text)
}

/** Node drops the body of a 204, but here that body is the fault. */
function writeRaw(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  { socket }: ServerResponse,
): void {
  const sent = { ...headers, 'content-length': String(Buffer.byteLength(text)), connection: 'close' }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  socket?.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n'))
}

async function closed(server: Server, closeTransport: () => Promise<void>): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await closeTransport()
}

import { once } from 'node:events'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type InformationEvent,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { ReceivedResponse } from './history.ts'
import {
  BASE_URL,
  baseOf,
  between,
  FUNCTION,
  TRAFFIC_OPTIONS,
  type TrafficOptions,
  validateOptions,
} from './options.ts'
import type { Finding, Result } from './report/result.ts'
import { listening } from './send/receiver.ts'
import { contentOf, decoded, LARGEST, noResponseReason } from './send/transport.ts'
import { readTraffic, UNKNOWN_BODY } from './traffic.ts'

/** Options of `startProxy`. */
export interface ProxyOptions extends Omit<TrafficOptions, 'baseUrl'> {
  /** Base URL of the service. */
  readonly url: string
  /** Default: a free one. */
  readonly port?: number
  /** Called with each finding, once. */
  readonly onFinding?: (finding: Finding) => void
}

/** A running proxy. */
export interface Proxy {
  /** Its base URL, which stands for that of the service. */
  readonly url: string
  /** The result so far. */
  result(): Result
  /** Stops, and returns the whole result. */
  close(): Promise<Result>
}

const { baseUrl: _, ...SHARED } = TRAFFIC_OPTIONS
const EXPECTED = { ...SHARED, url: BASE_URL, port: between(0, 65_535, true), onFinding: FUNCTION }

/**
 * Bytes of all bodies that may wait for their end. What exceeds it, or is larger than one may be,
 * passes and is not judged.
 */
const MOST_HELD_BYTES = 50_000_000

/**
 * Starts a reverse proxy on this machine that passes everything on to a service, unchanged, and
 * judges it.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {CannotRun} if the port is not available
 * @throws {ContractError} if the contract cannot be read
 *
 * @example
 * const proxy = await startProxy({
 *   url: 'http://127.0.0.1:4020',
 *   onFinding: ({ message }) => console.log(message),
 * })
 * await fetch(`${proxy.url}/mobile-bff/v1/partner/user`)
 * const { findings } = await proxy.close()
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  validateOptions('startProxy', options, EXPECTED)
  const { url, port = 0, onFinding, ...rest } = options
  const base = baseOf(url)
  const traffic = readTraffic({ ...rest, baseUrl: url })
  const pending = new Set<Promise<void>>()

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/' } = incoming
    const path = pathOf(target, [ownUrl(server), base])
    if (path === undefined) return refuse(outgoing, base, ownUrl(server))

    const sent = { method, url: base + path, headers: flat(incoming) }
    const begun = isAsWritten(base, path) ? traffic.begin(sent) : undefined
    const requestCopy = copyOf(incoming)
    const response = await responseOf({ base, path }, incoming, outgoing)
    begun?.respond()
    const responseCopy = response && copyOf(response)
    const isWhole = response ? await finished(response, outgoing) : false

    // The copies end in any case, since they count towards the bytes that are held.
    const requestBody = requestCopy.end()
    const responseBody = responseCopy?.end()
    if (!begun) return

    const isKnown = isWhole && requestBody && responseBody && response
    // What is too large, or was broken off, may have taken effect.
    const known = isKnown ? readResponse(response, responseBody) : undefined
    begun.end(sentBody(incoming, requestBody), known)
    for (const finding of traffic.newFindings()) onFinding?.(finding)
  }

  const server = createServer((incoming, outgoing) => {
    const work = pass(incoming, outgoing)
      .catch(() => outgoing.destroy())
      .then(() => void pending.delete(work))
    pending.add(work)
  })
  server.on('connect', (_, socket) => {
    const text = refusalText(base, ownUrl(server))
    const head = ['HTTP/1.1 400 Bad Request', 'content-type: text/plain', 'connection: close']
    socket.on('error', () => undefined)
    socket.end(`${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  })
  await listening(server, port, { what: 'the proxy cannot listen', host: '127.0.0.1' })
  return {
    url: ownUrl(server),
    result: () => traffic.result('so far'),
    async close() {
      server.close()
      server.closeAllConnections()
      await Promise.all(pending)
      return traffic.result('at the end')
    },
  }
}

function ownUrl(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * The path and query of a target, unchanged; undefined for a target elsewhere. A client that takes
 * this proxy for one of HTTP sends the whole URL (RFC 9112, section 3.2.2).
 */
function pathOf(target: string, origins: readonly string[]): string | undefined {
  const isOfServer = target === '*'
  if (target.startsWith('/') || isOfServer) return target
  if (!URL.canParse(target)) return undefined

  const { origin } = new URL(target)
  const isOwn = origins.some((url) => new URL(url).origin === origin)
  const path = target.slice(target.indexOf('//') + 2).replace(/^[^/?#]*/, '')
  return isOwn ? path || '/' : undefined
}

/** Whether a URL keeps a path as it was written, so that the operation which it names is known. */
function isAsWritten(base: string, path: string): boolean {
  if (!path.startsWith('/')) return false
  const { origin, pathname, search } = new URL(base + path)
  return origin + pathname + search === base + path
}

function refuse(outgoing: ServerResponse, base: string, own: string): void {
  outgoing.writeHead(400, { 'content-type': 'text/plain', connection: 'close' })
  outgoing.end(refusalText(base, own))
}

function refusalText(base: string, own: string): string {
  return `This is a reverse proxy of ${base}, and no HTTP proxy. Use ${own} as the base URL of the service, and not as HTTP_PROXY.\n`
}

/** The body of a request, decoded if it is encoded. */
function sentBody({ headers }: IncomingMessage, bytes: Buffer | undefined) {
  if (!bytes) return UNKNOWN_BODY
  if (bytes.length === 0) return undefined
  try {
    return Buffer.from(decoded(bytes, headers['content-encoding']) ?? bytes).toString()
  } catch {
    return UNKNOWN_BODY
  }
}

/** Headers of one connection (RFC 9110, section 7.6.1), and those that this proxy sets itself. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'upgrade',
  'expect',
  'host',
])
/** Milliseconds in which a connection may be idle. */
const MAX_IDLE_MS = 300_000

/** Passes a request on. Responds with 502 if the service does not respond. */
async function responseOf(
  { base, path }: { readonly base: string; readonly path: string },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<IncomingMessage | undefined> {
  const { protocol, hostname, port, host, pathname } = new URL(base)
  const send = protocol === 'https:' ? requestHttps : requestHttp
  const upstream = send({
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    // A URL would resolve dot segments.
    path: path === '*' ? path : pathname.replace(/\/$/, '') + path,
    method: incoming.method,
    headers: ['host', host, ...passed(incoming)],
    timeout: MAX_IDLE_MS,
  })
  upstream.on('timeout', () => upstream.destroy())
  // After the response has begun, it is the response that fails.
  upstream.on('error', () => undefined)
  upstream.on('information', (early) => passEarly(early, outgoing))
  outgoing.on('close', () => upstream.destroy())
  incoming.on('end', () => passTrailers(incoming, upstream))
  incoming.pipe(upstream)
  try {
    const [response] = (await once(upstream, 'response')) as [IncomingMessage]
    return response
  } catch (error) {
    outgoing.writeHead(502, { 'content-type': 'text/plain' })
    outgoing.end(`The service cannot be reached: ${noResponseReason(error)}\n`)
    return undefined
  }
}

/** Passes a 103 on, which tells the client early what the response will need (RFC 8297). */
function passEarly({ statusCode, headers }: InformationEvent, outgoing: ServerResponse): void {
  const { link } = headers
  if (statusCode === 103 && link !== undefined) outgoing.writeEarlyHints({ link: [link].flat() })
}

function passTrailers(from: IncomingMessage, to: ServerResponse | ClientRequest): void {
  const { rawTrailers } = from
  const trailers: [name: string, value: string][] = []
  for (let i = 0; i < rawTrailers.length; i += 2)
    trailers.push([rawTrailers[i] ?? '', rawTrailers[i + 1] ?? ''])
  if (trailers.length > 0) to.addTrailers(trailers)
}

/** Streams a response to the client. Returns whether it arrived whole. */
async function finished(response: IncomingMessage, outgoing: ServerResponse): Promise<boolean> {
  outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, passed(response))
  response.on('end', () => passTrailers(response, outgoing))
  return pipeline(response, outgoing).then(
    () => true,
    () => false,
  )
}

/** The headers as they were sent, names and values in turn, without those of one connection. */
function passed({ rawHeaders, headers: { connection = '' } }: IncomingMessage): string[] {
  // The sender names further headers of its connection.
  const named = connection.split(',').map((name) => name.trim().toLowerCase())
  const ofConnection = new Set([...NOT_PASSED, ...named])
  const headers: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    const value = rawHeaders[i + 1] ?? ''
    if (!ofConnection.has(name.toLowerCase())) headers.push(name, value)
  }
  return headers
}

/** Bytes of all bodies that wait for their end. */
let heldBytes = 0

/** Copies the bytes of a message while they pass. Undefined if there are too many. */
function copyOf(message: IncomingMessage): { end(): Buffer | undefined } {
  const parts: Buffer[] = []
  let size = 0
  let isTooLarge = false
  message.on('data', (part: Buffer) => {
    if (size + part.length > LARGEST) isTooLarge = true
    if (heldBytes + part.length > MOST_HELD_BYTES) isTooLarge = true
    if (isTooLarge) return
    parts.push(part)
    size += part.length
    heldBytes += part.length
  })
  return {
    end() {
      heldBytes -= size
      size = 0
      return isTooLarge ? undefined : Buffer.concat(parts)
    },
  }
}

/** Undefined if the body cannot be decoded. */
function readResponse(response: IncomingMessage, body: Buffer): ReceivedResponse | undefined {
  const headers = flat(response)
  try {
    const bytes = decoded(body, headers['content-encoding'])
    if (!bytes) return undefined
    return { status: response.statusCode ?? 0, headers, ...contentOf(bytes) }
  } catch {
    return undefined
  }
}

/** The headers, of which those that occur several times are joined. */
function flat({ headers }: IncomingMessage): Record<string, string> {
  const textOf = (value: string | string[] = '') =>
    typeof value === 'string' ? value : value.join(', ')
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value)]))
}

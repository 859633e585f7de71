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
import { type Duplex, Writable } from 'node:stream'
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
import {
  copyBody,
  joinHeaders,
  listPassedHeaders,
  missingContentLength,
  passTrailers,
  readRequestBody,
  readResponse,
} from './proxy/messages.ts'
import type { Finding, Result } from './report/result.ts'
import { startListening } from './send/receiver.ts'
import { noResponseReason } from './send/transport.ts'
import { type PendingExchange, readTraffic } from './traffic.ts'

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
  /**
   * The result so far.
   *
   * @throws the first error of judging, or of `onFinding`: without what was not judged, a result would
   *   say too little
   */
  result(): Result
  /** Stops, and returns the whole result. Rejects as `result` throws. */
  close(): Promise<Result>
}

/** A request that passes through the proxy. */
interface PassingRequest {
  /** The path with which it is sent to the service. */
  readonly path: string
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Undefined if it is not judged. */
  readonly pendingExchange: PendingExchange | undefined
}

const { baseUrl: _, ...SHARED } = TRAFFIC_OPTIONS
const EXPECTED = { ...SHARED, url: BASE_URL, port: between(0, 65_535, true), onFinding: FUNCTION }

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
  const { url, port = 0, onFinding, ...trafficOptions } = options
  const base = baseOf(url)
  const traffic = readTraffic({ ...trafficOptions, baseUrl: url }, judgeLater)
  const pending = new Set<Promise<void>>()
  /** What passed and was not judged. */
  const unknownCounts = { targets: 0, responseBodies: 0, notResponded: 0 }
  /** The first error of the checker itself, or of `onFinding`. */
  let failure: { readonly error: unknown } | undefined

  /**
   * Judges what has passed. An error breaks no connection of the client: the first one is kept, and thrown when
   * the result is asked for.
   */
  function judge(work: () => void): void {
    try {
      work()
    } catch (error) {
      failure ??= { error }
    }
  }

  /** Judges after a pause, in which requests and responses pass, and reports new findings. */
  function judgeLater(work: () => void): void {
    setTimeout(() => {
      judge(work)
      judge(reportNewFindings)
    }, PAUSE_MS)
  }

  function reportNewFindings(): void {
    for (const finding of traffic.newFindings()) onFinding?.(finding)
  }

  /** Judges what still waits for its turn, and builds the result. */
  function readResult(moment: 'so far' | 'at the end'): Result {
    judge(traffic.history.passOn)
    judge(reportNewFindings)
    if (failure) throw failure.error
    return traffic.result(moment, unknownCounts)
  }

  /**
   * Handles a request to the proxy: passes it on to the service, and adds the exchange to the traffic. A target that
   * is not below the base URL is refused.
   */
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { url: target = '/' } = incoming
    const path = findServicePath(target, { proxyUrl: readUrl(server), base })
    if (path === undefined) return refuse(outgoing, base, readUrl(server))

    const pendingExchange = beginExchange(incoming, path)
    const requestCopy = copyBody(incoming)
    let response: ReceivedResponse | undefined
    try {
      response = await forward({ path, incoming, outgoing, pendingExchange })
    } finally {
      // Also after an error: the history holds back later events until this exchange has ended.
      const body = requestCopy.end()
      judge(() => pendingExchange?.end(readRequestBody(incoming, body), response))
    }
  }

  /**
   * Begins an exchange of the traffic. Undefined if it is only passed on and not judged, because it is not clear
   * which operation its path names.
   */
  function beginExchange(incoming: IncomingMessage, path: string): PendingExchange | undefined {
    const { origin } = new URL(base)
    const { method = 'GET' } = incoming
    // A path with dot segments, such as `/a/../b`, may reach another operation than it names.
    const isNormal = isInNormalForm(origin, path)
    if (isNormal)
      return traffic.begin({ method, url: origin + path, headers: joinHeaders(incoming) })

    // `OPTIONS *` asks about the whole service, and names no operation (RFC 9110, section 9.3.7).
    const isWholeService = path === '*'
    if (!isWholeService) unknownCounts.targets++
    return undefined
  }

  /**
   * Forwards a request and its response. Returns the response; undefined if it is not known, such
   * as one that is too large or was broken off. The request may have taken effect.
   */
  async function forward(passing: PassingRequest): Promise<ReceivedResponse | undefined> {
    const { path, incoming, outgoing, pendingExchange } = passing
    const response = await sendUpstream({ base, path }, incoming, outgoing)
    if (!response) {
      if (pendingExchange) unknownCounts.notResponded++
      return undefined
    }

    pendingExchange?.respond()
    const responseCopy = copyBody(response)
    const isWhole = await streamResponse(response, outgoing)
    const body = responseCopy.end()
    const received = isWhole && body ? readResponse(response, body) : undefined
    if (pendingExchange && !received) unknownCounts.responseBodies++
    return received
  }

  const server = createServer((incoming, outgoing) => {
    const work = pass(incoming, outgoing)
      .catch(() => outgoing.destroy())
      .then(() => void pending.delete(work))
    pending.add(work)
  })
  // Judging a large response takes seconds. By default, a connection that was kept alive would then be
  // closed although its next request has arrived.
  server.keepAliveTimeout = MAX_IDLE_MS
  server.on('connect', (_, socket) => refuseTunnel(socket, base, readUrl(server)))
  await startListening(server, port, { what: 'the proxy cannot listen', host: '127.0.0.1' })
  return {
    url: readUrl(server),
    result: () => readResult('so far'),
    /** Ends the server and all connections, waits until all exchanges have ended, and returns the result. */
    async close() {
      server.close()
      server.closeAllConnections()
      await Promise.all(pending)
      return readResult('at the end')
    },
  }
}

/** Reads the base URL of a server that listens on this machine. */
function readUrl(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Bases {
  /** The base URL of this proxy. */
  readonly proxyUrl: string
  /** The base URL of the service. */
  readonly base: string
}

/**
 * Finds the path to send to the service for the target of a request to the proxy, without changing how it is
 * written: for the base `https://pay.example/api`, `/pix/keys` becomes `/api/pix/keys`. Undefined if the target is
 * on another server.
 *
 * The target is a whole URL if a client takes this proxy for one of HTTP (RFC 9112, section 3.2.2): the URL of the
 * proxy, or that of the service, which has the path of the base already.
 */
function findServicePath(target: string, { proxyUrl, base }: Bases): string | undefined {
  const { origin, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  if (target === '*') return target
  if (target.startsWith('/')) return prefix + target

  const url = splitUrl(target)
  if (url?.origin === proxyUrl) return prefix + url.path
  if (url?.origin === origin) return url.path
  return undefined
}

/** Splits a URL into its origin and its path, as the path was written. Undefined if it is no URL. */
function splitUrl(text: string): { origin: string; path: string } | undefined {
  const [authority] = /^https?:\/\/[^/?#]*/i.exec(text) ?? []
  if (authority === undefined || !URL.canParse(authority)) return undefined

  const rest = text.slice(authority.length)
  // The path of a URL may be empty, that of a request is not (RFC 9112, section 3.2.1).
  const path = rest.startsWith('/') ? rest : `/${rest}`
  return { origin: new URL(authority).origin, path }
}

/**
 * Whether the path of a target stays as it is in a URL, so that it names one operation: `/pix/keys` does,
 * and `/a/../pix/keys` and `//other.example` do not. The query does not matter.
 */
function isInNormalForm(serviceOrigin: string, target: string): boolean {
  if (!target.startsWith('/')) return false
  const [written] = target.split('?', 1)
  const { origin, pathname } = new URL(serviceOrigin + target)
  return origin === serviceOrigin && pathname === written
}

/** Refuses a request to another host. */
function refuse(outgoing: ServerResponse, base: string, proxyUrl: string): void {
  outgoing.writeHead(400, { 'content-type': 'text/plain', connection: 'close' })
  outgoing.end(refusalText(base, proxyUrl))
}

/** Refuses a CONNECT, with which a client takes this proxy for one of HTTP. Node leaves its response to us. */
function refuseTunnel(socket: Duplex, base: string, proxyUrl: string): void {
  const text = refusalText(base, proxyUrl)
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: text/plain',
    'connection: close',
    `content-length: ${Buffer.byteLength(text)}`,
  ]
  // The client may have gone.
  socket.on('error', () => undefined)
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}

function refusalText(base: string, proxyUrl: string): string {
  return `This is a reverse proxy of ${base}, and no HTTP proxy. Use ${proxyUrl} as the base URL of the service, and not as HTTP_PROXY.\n`
}

/** To judge a large response takes up to a second. Between two, others have so many milliseconds to pass. */
const PAUSE_MS = 20

/** Milliseconds in which a connection may be idle. */
const MAX_IDLE_MS = 300_000

/**
 * Streams a request from the client to the service, and returns the response of the service once it begins.
 * If there is none, responds to the client with 502, and returns undefined.
 */
async function sendUpstream(
  { base, path }: { readonly base: string; readonly path: string },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<IncomingMessage | undefined> {
  const { protocol, hostname, port, host } = new URL(base)
  const send = protocol === 'https:' ? requestHttps : requestHttp
  try {
    const upstream = send({
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      // A URL would resolve dot segments.
      path,
      method: incoming.method,
      headers: ['host', host, ...listPassedHeaders(incoming), ...missingContentLength(incoming)],
      timeout: MAX_IDLE_MS,
    })
    upstream.on('timeout', () => upstream.destroy())
    upstream.on('information', (early) => passEarly(early, outgoing))
    // The client has gone, or has its whole response: nobody needs the rest.
    outgoing.on('close', () => upstream.destroy())
    // Before `pipe`, whose own listener ends the request: trailers come before its end.
    incoming.on('end', () => passTrailers(incoming, upstream))
    incoming.pipe(upstream)
    // The service may respond or fail before it has read all. What is left of the body is dropped, since
    // the next request of the connection comes after it. After `pipe`, which stops reading on `close`.
    upstream.on('close', () => incoming.resume())
    return await waitForResponse(upstream)
  } catch (error) {
    respondBadGateway(outgoing, `The service cannot be reached: ${noResponseReason(error)}`)
    return undefined
  }
}

/** Waits until a response begins. Rejects if the request ends without one, in whatever way. */
function waitForResponse(upstream: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    upstream.on('response', resolve)
    // After the response has begun, it is the response that fails.
    upstream.on('error', reject)
    upstream.on('close', () => reject(new Error('it closed the connection')))
    upstream.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('it switched protocols (101), although no request asks for it'))
    })
  })
}

function respondBadGateway(outgoing: ServerResponse, reason: string): void {
  outgoing.writeHead(502, 'Bad Gateway', { 'content-type': 'text/plain' })
  outgoing.end(`${reason}\n`)
}

/**
 * Passes an early response on to the client. Only a 103 is passed, which names links that the client may
 * load in advance (RFC 8297).
 */
function passEarly({ statusCode, headers }: InformationEvent, outgoing: ServerResponse): void {
  const { link } = headers
  if (statusCode !== 103 || link === undefined) return
  try {
    outgoing.writeEarlyHints({ link: [link].flat() })
  } catch {
    // Node refuses links in another form. The client can do without them.
  }
}

/**
 * Streams a response of the service to the client. Returns whether it came to its end, so that it can be
 * judged.
 */
async function streamResponse(
  response: IncomingMessage,
  outgoing: ServerResponse,
): Promise<boolean> {
  const whyNotPassed = passHead(response, outgoing)
  const isHeadPassed = whyNotPassed === undefined
  if (isHeadPassed) {
    response.on('end', () => passTrailers(response, outgoing))
    return hasSucceeded(pipeline(response, outgoing))
  }

  // The body is read to its end and dropped, since the exchange is judged all the same.
  const isWhole = await hasSucceeded(pipeline(response, new Writable({ write: dropChunk })))
  respondBadGateway(outgoing, `The response of the service cannot be passed on: ${whyNotPassed}`)
  return isWhole
}

/**
 * Passes the status and the headers of a response on to the client. Returns why Node refuses that, as with
 * the status 099; undefined if it does not.
 */
function passHead(response: IncomingMessage, outgoing: ServerResponse): string | undefined {
  // Each response has a status; the type is also that of requests, which have none.
  const { statusCode = 502, statusMessage } = response
  try {
    const headers = listPassedHeaders(response)
    if (endsWithConnection(response)) headers.push('connection', 'close')
    outgoing.writeHead(statusCode, statusMessage, headers)
    return undefined
  } catch (error) {
    return noResponseReason(error)
  }
}

/** Whether the end of the connection is that of the response (RFC 9112, section 6.3, item 4). */
function endsWithConnection({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding !== undefined && !/(^|[\s,])chunked\s*$/i.test(coding)
}

function dropChunk(_chunk: Buffer, _encoding: string, done: () => void): void {
  done()
}

/** Waits for some work. Returns whether it was done, and does not throw. */
function hasSucceeded(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import zlib from 'node:zlib'
import type { ReceivedResponse, SentRequest } from '../history.ts'

/** Sends a request to a service. Rejects if no response arrives; the error says why. */
export type Transport = (request: SentRequest, signal: AbortSignal) => Promise<ReceivedResponse>

/** Milliseconds until the last byte of a response. */
const TIMEOUT_MS = 10_000
/** Bytes of a response, also after decoding. */
export const MAX_BODY_BYTES = 2_000_000
/**
 * Requests that are on their way at the same time. Each has its own connection, since the wait for one
 * would count as time without a response.
 */
export const MAX_CONCURRENT = 32
/** Milliseconds after which an idle connection is closed, before a service does that. */
const IDLE_MS = 1_000
/** After so many responses over connections that were used again, a service has shown that it keeps them open. */
const ENOUGH_REUSES = 50

/** Keeps a byte order mark, because JSON must not have one. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** How a transport over HTTP waits, and shares connections. */
export interface HttpOptions {
  /** Milliseconds until the last byte of a response. Default: 10,000. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds after which an idle connection is closed. Default: 1,000. */
  readonly idleMs?: number
  /**
   * Whether writes may share connections, once reads have shown that the service keeps them open. If not, each write
   * has its own. Default: false.
   */
  readonly mayShareWrites?: boolean
}

/**
 * Creates a transport over HTTP: a function that sends a request to a base URL and returns its response. It
 * follows no redirect. `close` ends its connections.
 */
export function httpTransport(
  { protocol, hostname, port, pathname }: URL,
  { timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS, mayShareWrites = false }: HttpOptions = {},
): { readonly transport: Transport; close(): Promise<void> } {
  const { Agent, request } = protocol === 'https:' ? https : http
  // The connections of `reusing` stay open for the next request, and `opening` opens one for each request.
  const options = { maxSockets: MAX_CONCURRENT, timeout: idleMs }
  const reusing = new Agent({ ...options, keepAlive: true })
  const opening = new Agent({ ...options, keepAlive: false })
  const prefix = pathname.replace(/\/$/, '')
  const withoutBrackets = hostname.replace(/^\[|\]$/g, '')
  const server = { hostname: withoutBrackets, port }
  /** Responses that came over a connection that was used again. */
  let reuses = 0
  /** Whether the service has closed a connection that a request was then sent over. */
  let hasClosedUnasked = false

  /** Sends a request over a connection of an agent, and returns the response, whose body is not read yet. */
  async function sendBy(
    agent: typeof reusing,
    sentRequest: SentRequest,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { method, path, headers, body } = sentRequest
    const sent = request({ ...server, agent, method, path: prefix + path, headers, signal })
    const responded = once(sent, 'response')
    // `once` takes errors until the response begins. Later ones also fail the reading of the response.
    sent.on('error', () => undefined)
    sent.end(body)
    try {
      const [response] = (await responded) as [IncomingMessage]
      if (sent.reusedSocket) reuses++
      return response
    } catch (error) {
      // A service may close a connection after a response without saying so.
      const wasClosed = sent.reusedSocket && !signal.aborted
      if (!wasClosed) throw error

      hasClosedUnasked = true
      // Nobody knows whether a lost write was carried out.
      if (!isRead(sentRequest)) throw new ConnectionClosed(noResponseReason(error))
      // A new connection is not reused, so that this is tried once.
      return sendBy(opening, sentRequest, signal)
    }
  }

  /**
   * Sends a request. Reads share connections, since a lost read is repeated. Writes share them only if the service
   * has never closed one unasked.
   */
  function send(sentRequest: SentRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const keepsConnections = reuses >= ENOUGH_REUSES && !hasClosedUnasked
    const isShared = isRead(sentRequest) || (mayShareWrites && keepsConnections)
    return sendBy(isShared ? reusing : opening, sentRequest, signal)
  }

  /** Sends a request and reads its whole response. */
  const transport: Transport = async (sentRequest, signal) => {
    const response = await send(sentRequest, signal)
    const bytes = await readBytes(response, MAX_BODY_BYTES)
    const content = decodeContent(bytes, response.headers['content-encoding'])
    return { status: response.statusCode ?? 0, headers: response.headers, ...content }
  }

  async function close(): Promise<void> {
    reusing.destroy()
    opening.destroy()
  }
  return { transport: withTimeout(transport, timeoutMs), close }
}

function isRead({ method }: SentRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Decodes the bytes of a body to text, and says if they are not UTF-8. A body whose coding is not known is
 * read as it is.
 *
 * @param coding The value of `content-encoding`, such as `gzip`.
 */
export function decodeContent(
  bytes: Uint8Array,
  coding: string | readonly string[] | null = '',
): Pick<ReceivedResponse, 'text' | 'hasInvalidUtf8'> {
  const body = removeCodings(bytes, String(coding ?? '')) ?? bytes
  const text = decoder.decode(body)
  return isUtf8(body) ? { text } : { text, hasInvalidUtf8: true }
}

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer

/** Encodings that a service may use without `accept-encoding` (RFC 9110, section 12.5.3). */
const DECODERS = new Map<string, Decode>([
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['deflate', zlib.inflateSync],
  ['br', zlib.brotliDecompressSync],
  // A named import would fail on an old Node before the message that names the version.
  ['zstd', zlib.zstdDecompressSync],
])
/** Codings of one response that are decoded. */
const MAX_CODINGS = 3

/**
 * Removes the codings of a body, such as `gzip` or `deflate, br`. Undefined if a coding is unknown. Throws if
 * a body is broken, or too large.
 */
export function removeCodings(bytes: Uint8Array, coding = ''): Uint8Array | undefined {
  const names = coding.toLowerCase().split(',', MAX_CODINGS)
  let body = bytes
  // The coding that was applied last is removed first.
  for (const name of names.toReversed()) {
    // An empty body has no coding to remove, as in the response to a HEAD.
    if (body.length === 0) return body
    const decoded = removeCoding(body, name.trim())
    if (!decoded) return undefined
    body = decoded
  }
  return body
}

function removeCoding(body: Uint8Array, name: string): Uint8Array | undefined {
  if (name === '' || name === 'identity') return body
  const decode = DECODERS.get(name)
  return decode?.(body, { maxOutputLength: MAX_BODY_BYTES })
}

/**
 * Creates a transport to a service in the same process: a function that sends a request to `fetch` and
 * returns its response. Like a server, the service may encode its bodies.
 */
export function fetchTransport(
  fetch: (request: Request) => Response | Promise<Response>,
  base = 'http://127.0.0.1',
): Transport {
  return withTimeout(async ({ method, path, headers, body }, signal) => {
    const request = new Request(base + path, {
      method,
      headers,
      // A string would get a content-type.
      body: body === undefined ? null : encoder.encode(body),
      redirect: 'manual',
      signal,
    })
    const response = await fetch(request)
    const bytes = response.body ? await readBytes(response.body, MAX_BODY_BYTES) : new Uint8Array()
    const content = decodeContent(bytes, response.headers.get('content-encoding'))
    return { status: response.status, headers: Object.fromEntries(response.headers), ...content }
  }, TIMEOUT_MS)
}

/** Reads all bytes of a body. Throws if it has more than `most`. */
export async function readBytes(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.byteLength
    if (size > most) throw new Error(`the response has more than ${most} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const RUN_ENDED = 'the run was ended'

/**
 * Wraps a transport so that it fails if no complete response arrives within `ms`, or if the signal ends the
 * run. This holds even if the transport ignores the signal.
 */
function withTimeout(transport: Transport, ms: number): Transport {
  return async (request, signal) => {
    // Nothing is sent after the end of the run.
    if (signal.aborted) throw new Error(RUN_ENDED)

    const ending = new AbortController()
    const timeOut = () => ending.abort(new Error(`no complete response within ${ms} ms`))
    const stop = () => ending.abort(new Error(RUN_ENDED))
    const timer = setTimeout(timeOut, ms)
    signal.addEventListener('abort', stop)

    // Never resolves: it rejects when the time is over or the run has ended.
    const ended = new Promise<never>((_, reject) => {
      ending.signal.addEventListener('abort', () => reject(ending.signal.reason))
    })
    try {
      return await Promise.race([ended, transport(request, ending.signal)])
    } catch (error) {
      // An aborted transport may throw its own error first: the reason of the end is thrown in its place.
      throw ending.signal.aborted ? ending.signal.reason : error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }
}

/** The check cannot run; the message says why. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/**
 * A write was lost over a connection that was used before. A service may close one at any time (RFC 9112, section 9.5), so
 * that this says nothing against it.
 */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'
}

/** Says in one line why no response arrived, from the error of the transport, with advice on TLS. */
export function noResponseReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [line = ''] = error.message.split('\n', 1)
  const code = 'code' in error ? String(error.code ?? '') : ''

  if (code.startsWith('ERR_SSL_') || code.startsWith('EPROTO'))
    return `it does not speak TLS (${code}): is its URL http, and not https?`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is for another name (${code}): ${line}`
  if (isAboutTrust(code))
    return `its certificate is not trusted (${code}): name the file of its authority in NODE_EXTRA_CA_CERTS`

  if (code === '') return line
  return line === '' ? code : `${code}: ${line}`
}

/** Whether a code of OpenSSL says that a certificate could not be verified. */
function isAboutTrust(code: string): boolean {
  // CERT_HAS_EXPIRED, SELF_SIGNED_CERT_IN_CHAIN, DEPTH_ZERO_SELF_SIGNED_CERT and the like.
  if (code.includes('CERT')) return true
  // UNABLE_TO_VERIFY_LEAF_SIGNATURE, UNABLE_TO_GET_ISSUER_CERT and the like.
  if (code.includes('UNABLE_TO_')) return true
  // CRL_NOT_YET_VALID, CRL_HAS_EXPIRED: lists of revoked certificates.
  return code.includes('CRL')
}

import type { Dispatcher, Pool } from 'undici'
import { type HttpRequest, type HttpResponse, headerOf } from '../model/http.ts'
import { decodeContent } from './content-encoding.ts'
import { requireNode } from './node-version.ts'
import { withTimeout } from './timeout.ts'

export interface Transport {
  /** @param signal Gives the exchange up at once. */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>
  close(): Promise<void>
}

export interface TransportOptions {
  /** Connections at a time. Default: 8. */
  readonly connections?: number
  /** Milliseconds that an exchange may take, to the last byte of its answer. Default: 10,000. */
  readonly timeoutMs?: number
}

/** Milliseconds that an exchange may take. */
const DEFAULT_TIMEOUT_MS = 10_000
/** Characters of an answer that are read. */
const MAX_RESPONSE = 2_000_000

/** Leaves a byte order mark where it is, since JSON has none. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Sends requests to one base URL; what it sends never rejects.
 *
 * @throws {CannotRun} on a Node that is too old for it
 */
export function createHttpTransport(
  base: URL,
  { connections = 8, timeoutMs = DEFAULT_TIMEOUT_MS }: TransportOptions = {},
): Transport {
  requireNode()
  let opened: Promise<Pool> | undefined
  const prefix = base.pathname.replace(/\/$/, '')
  async function exchanged(
    { method, path, headers, body }: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    opened ??= open(base, { connections, timeoutMs })
    const pool = await opened
    const began = performance.now()
    const answer = await pool.request({
      method: method as 'GET',
      path: prefix + path,
      headers,
      body: body ?? null,
      signal,
    })
    const text = await textOf(answer)
    return { status: answer.statusCode, headers: answer.headers, text, ms: performance.now() - began }
  }

  return {
    send: (request, signal) => withTimeout((it) => exchanged(request, it), timeoutMs, signal),
    close: async () => (await opened)?.close(),
  }
}

async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  const coding = headerOf(headers, 'content-encoding')
  const bytes = await body.bytes()
  return decoder.decode(coding ? decodeContent(bytes, coding, MAX_RESPONSE) : bytes)
}

/** Not before it is needed: what judges the traffic of others runs on a Node that this library does not. */
async function open({ origin }: URL, { connections, timeoutMs }: Required<TransportOptions>): Promise<Pool> {
  const { Pool } = await import('undici')
  return new Pool(origin, {
    connections,
    pipelining: 1,
    // One deadline is for the whole: a body that trickles would keep these at bay for ever.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs },
    maxResponseSize: MAX_RESPONSE,
  })
}

/** The same wire, of which no exchange takes longer: a program's own may never answer. */
export function createTimedTransport(transport: Transport, timeoutMs = DEFAULT_TIMEOUT_MS): Transport {
  return {
    send: (request, signal) => withTimeout((it) => transport.send(request, it), timeoutMs, signal),
    close: () => transport.close(),
  }
}

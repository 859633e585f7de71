import type { Dispatcher, Pool } from 'undici'
import { type HttpRequest, type HttpResponse, headerOf } from '../model/http.ts'
import { decodeContent } from './content-encoding.ts'
import { withTimeout } from './timeout.ts'

/** Sends requests to a service: over HTTP, or to a function in the same process. */
export interface Transport {
  /** @param signal Aborts the exchange. */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>
  close(): Promise<void>
}

export interface TransportOptions {
  /** Concurrent connections. Default: 8. */
  readonly connections?: number
  /** Milliseconds until the last byte of a response. Default: 10,000. */
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 10_000
/** Bytes. */
const MAX_RESPONSE = 2_000_000

/** Keeps a byte order mark, because JSON must not have one. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A transport over HTTP. `send` never rejects. */
export function createHttpTransport(
  base: URL,
  { connections = 8, timeoutMs = DEFAULT_TIMEOUT_MS }: TransportOptions = {},
): Transport {
  let opened: Promise<Pool> | undefined
  const prefix = base.pathname.replace(/\/$/, '')
  async function exchanged(
    { method, path, headers, body }: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    opened ??= open(base, { connections, timeoutMs })
    const pool = await opened
    const began = performance.now()
    const response = await pool.request({
      method: method as 'GET',
      path: prefix + path,
      headers,
      body: body ?? null,
      signal,
    })
    const text = await textOf(response)
    return { status: response.statusCode, headers: response.headers, text, ms: performance.now() - began }
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

/** Imports undici on demand, because only a run over HTTP needs it. */
async function open({ origin }: URL, { connections, timeoutMs }: Required<TransportOptions>): Promise<Pool> {
  const { Pool } = await import('undici')
  return new Pool(origin, {
    connections,
    pipelining: 1,
    // One timeout covers the whole exchange; these would restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs },
    maxResponseSize: MAX_RESPONSE,
  })
}

/** Limits the time of each exchange, since a custom transport may never respond. */
export function createTimedTransport(transport: Transport, timeoutMs = DEFAULT_TIMEOUT_MS): Transport {
  return {
    send: (request, signal) => withTimeout((it) => transport.send(request, it), timeoutMs, signal),
    close: () => transport.close(),
  }
}

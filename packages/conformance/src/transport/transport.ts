import type { Dispatcher, Pool } from 'undici'
import { inTime } from './deadline.ts'
import { decoded } from './decoded.ts'
import { headerOf } from './exchange.ts'
import { requireNode } from './node.ts'

/** A request as it leaves. */
export interface Call {
  readonly method: string
  /** With its query; below the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** An answer as it came; `status` 0 where none did, and `text` says why. */
export interface Reply {
  readonly status: number
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** Milliseconds to the last byte. */
  readonly ms: number
  /** The 429 that came first, where the request was sent again for it. */
  readonly limited?: Reply
}

export interface Wire {
  /** @param signal Gives the exchange up at once. */
  send(call: Call, signal?: AbortSignal): Promise<Reply>
  close(): Promise<void>
}

export interface WireOptions {
  /** Connections at a time. Default: 8. */
  readonly connections?: number
  /** Milliseconds that an exchange may take, to the last byte of its answer. Default: 10,000. */
  readonly timeoutMs?: number
}

/** Milliseconds that an exchange may take. */
const DEADLINE = 10_000
/** Characters of an answer that are read. */
const MAX_ANSWER = 2_000_000

/** Leaves a byte order mark where it is, since JSON has none. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Sends requests to one base URL; what it sends never rejects.
 *
 * @throws {CannotRun} on a Node that is too old for it
 */
export function createWire(base: URL, { connections = 8, timeoutMs = DEADLINE }: WireOptions = {}): Wire {
  requireNode()
  let opened: Promise<Pool> | undefined
  const prefix = base.pathname.replace(/\/$/, '')
  async function exchanged({ method, path, headers, body }: Call, signal: AbortSignal): Promise<Reply> {
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
    send: (call, signal) => inTime((it) => exchanged(call, it), timeoutMs, signal),
    close: async () => (await opened)?.close(),
  }
}

async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  const coding = headerOf(headers, 'content-encoding')
  const bytes = await body.bytes()
  return decoder.decode(coding ? decoded(bytes, coding, MAX_ANSWER) : bytes)
}

/** Not before it is needed: what judges the traffic of others runs on a Node that this library does not. */
async function open({ origin }: URL, { connections, timeoutMs }: Required<WireOptions>): Promise<Pool> {
  const { Pool } = await import('undici')
  return new Pool(origin, {
    connections,
    pipelining: 1,
    // One deadline is for the whole: a body that trickles would keep these at bay for ever.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs },
    maxResponseSize: MAX_ANSWER,
  })
}

/** The same wire, of which no exchange takes longer: a program's own may never answer. */
export function createTimedWire(wire: Wire, timeoutMs = DEADLINE): Wire {
  return {
    send: (call, signal) => inTime((it) => wire.send(call, it), timeoutMs, signal),
    close: () => wire.close(),
  }
}

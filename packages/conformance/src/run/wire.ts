import type { Dispatcher, Pool } from 'undici'
import { decoded } from './decoded.ts'
import { headerOf } from './exchange.ts'
import { requireNode } from './node.ts'
import { patient } from './patience.ts'

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
  send(call: Call): Promise<Reply>
  close(): Promise<void>
}

export interface WireOptions {
  /** Connections at a time. Default: 8. */
  readonly connections?: number
  /** Milliseconds that an answer may take. Default: 10,000. */
  readonly timeoutMs?: number
  /** Requests a second at most; unlimited by default. */
  readonly rate?: number
}

/** Characters of an answer that are read. */
const MAX_ANSWER = 2_000_000

/** Leaves a byte order mark where it is, since JSON has none. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Sends requests to one base URL, and again what was answered 429; what it sends never rejects.
 *
 * @throws {CannotRun} on a Node that is too old for it
 */
export function createWire(base: URL, { rate, ...options }: WireOptions = {}): Wire {
  requireNode()
  let opened: Promise<Pool> | undefined
  const prefix = base.pathname.replace(/\/$/, '')
  const turn = rate ? pacing(rate) : () => undefined
  async function send({ method, path, headers, body }: Call): Promise<Reply> {
    await turn()
    opened ??= open(base, options)
    const pool = await opened
    const began = performance.now()
    try {
      const answer = await pool.request({
        method: method as 'GET',
        path: prefix + path,
        headers,
        body: body ?? null,
      })
      const text = await textOf(answer)
      return { status: answer.statusCode, headers: answer.headers, text, ms: performance.now() - began }
    } catch (error) {
      return { status: 0, headers: {}, text: reasonOf(error), ms: performance.now() - began }
    }
  }
  return { send: patient(send), close: async () => (await opened)?.close() }
}

async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  const coding = headerOf(headers, 'content-encoding')
  const bytes = await body.bytes()
  return decoder.decode(coding ? decoded(bytes, coding, MAX_ANSWER) : bytes)
}

/** Not before it is needed: what judges the traffic of others runs on a Node that this library does not. */
async function open(
  { origin }: URL,
  { connections = 8, timeoutMs = 10_000 }: Omit<WireOptions, 'rate'>,
): Promise<Pool> {
  const { Pool } = await import('undici')
  return new Pool(origin, {
    connections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs },
    maxResponseSize: MAX_ANSWER,
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? `${error.code}: ${error.message}` : error.message
}

/** Lets one pass every so often. */
function pacing(rate: number): () => Promise<void> {
  let next = 0
  return async () => {
    const now = performance.now()
    const at = Math.max(now, next)
    next = at + 1000 / rate
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now))
  }
}

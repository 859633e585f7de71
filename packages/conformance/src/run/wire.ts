import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { inTime } from './deadline.ts'

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
  /** Requests a second at most; unlimited by default. */
  readonly rate?: number
}

/** Milliseconds that an exchange may take. */
const DEADLINE = 10_000
/** Characters of an answer that are read. */
const MAX_ANSWER = 2_000_000

/** Sends requests to one base URL. Never rejects. */
export function createWire(
  base: URL,
  { connections = 8, timeoutMs = DEADLINE, rate }: WireOptions = {},
): Wire {
  const pool = new Pool(base.origin, {
    connections,
    pipelining: 1,
    // One deadline is for the whole: a body that trickles would keep these at bay for ever.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs },
    maxResponseSize: MAX_ANSWER,
  })
  const prefix = base.pathname.replace(/\/$/, '')
  const turn = rate ? pacing(rate) : () => undefined
  async function exchanged({ method, path, headers, body }: Call, signal: AbortSignal): Promise<Reply> {
    const began = performance.now()
    const answer = await pool.request({
      method: method as 'GET',
      path: prefix + path,
      headers,
      body: body ?? null,
      signal,
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: answer.headers, text, ms: performance.now() - began }
  }

  return {
    async send(call, signal) {
      await turn(signal)
      return inTime((it) => exchanged(call, it), timeoutMs, signal)
    },
    close: () => pool.close(),
  }
}

/** The same wire, of which no exchange takes longer: a program's own may never answer. */
export function createTimedWire(wire: Wire, timeoutMs = DEADLINE): Wire {
  return {
    send: (call, signal) => inTime((it) => wire.send(call, it), timeoutMs, signal),
    close: () => wire.close(),
  }
}

/** Lets one pass every so often; who gives up waiting goes on at once, to be ended by the same signal. */
function pacing(rate: number): (signal?: AbortSignal) => Promise<void> {
  let next = 0
  return async (signal) => {
    const now = performance.now()
    const at = Math.max(now, next)
    next = at + 1000 / rate
    if (at > now) await sleep(at - now, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

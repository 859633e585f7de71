import { Client, type Dispatcher, errors } from 'undici'
import { type DialOptions, dial } from './dial.ts'
import { DeliveryFailure, type Outcome, type Reason, type Undelivered } from './outcome.ts'
import type { Target } from './url.ts'

export interface Delivery {
  readonly url: string
  /** Header fields, except host, content-length and connection, which are added here. */
  readonly headers: Readonly<Record<string, string>>
  /** The text that was signed. */
  readonly body: string
}

/** The response of a receiver, as far as it is kept. */
export interface Received {
  /** The first 2 kB of the header fields; a value that was cut ends with `…`. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The first bytes of the body. */
  readonly body: Buffer
}

export interface Posted {
  readonly outcome: Outcome
  readonly received?: Received
}

export interface AttemptSettings extends Pick<DialOptions, 'lookup' | 'open'> {
  timeoutMs: number
}

/** Maximum bytes read of a response, for headers and body each. */
const MAX_RESPONSE_BYTES = 16_384

/**
 * Sends a delivery once, on its own connection, and resolves when that is closed. Never rejects: a
 * failure is an outcome, with the reason and the milliseconds that it took.
 *
 * @param cut ends the attempt; its reason is a {@link DeliveryFailure}
 * @returns the outcome, and the start of the response if one arrived
 */
export async function attempt(
  target: Target,
  delivery: Delivery,
  settings: AttemptSettings,
  cut: AbortController,
): Promise<Posted> {
  const started = performance.now()
  const elapsedMs = () => Math.round(performance.now() - started)
  // One limit for the whole attempt. With a limit for each step, a slow drip would never time out.
  const { timeoutMs } = settings
  const late = new DeliveryFailure('timeout', `no response within ${timeoutMs} ms`)
  const timer = setTimeout(() => cut.abort(late), timeoutMs)
  const client = createClient(target, settings, cut.signal)
  try {
    const { statusCode, headers, body } = await client.request({
      method: 'POST',
      path: target.url.pathname + target.url.search,
      headers: delivery.headers,
      body: delivery.body,
      signal: cut.signal,
    })
    const outcome = judgeStatus(statusCode, elapsedMs())
    const received = { headers: keepFirstHeaders(headers), body: await readStart(body) }
    return { outcome, received }
  } catch (error) {
    return { outcome: undelivered(error, elapsedMs()) }
  } finally {
    await client.destroy()
    clearTimeout(timer)
  }
}

/** Converts an error of an attempt into its outcome. */
export function undelivered(error: unknown, durationMs: number): Undelivered {
  const failure = error instanceof DeliveryFailure ? error : classifyError(error)
  return { ok: false, reason: failure.reason, detail: failure.message, durationMs }
}

/** How long a receiver may go on sending the body after the headers, in milliseconds. */
const DRAIN_MS = 1_000

/** Characters kept of all header fields together. */
const MAX_KEPT_CHARACTERS = 2_048

/**
 * The first headers of a response, up to a number of characters, as pairs of name and value. The
 * last value may be cut.
 */
function keepFirstHeaders(headers: Dispatcher.ResponseData['headers']): [string, string][] {
  let charactersLeft = MAX_KEPT_CHARACTERS
  const firstHeaders: [string, string][] = []
  for (const [name, values] of Object.entries(headers)) {
    charactersLeft -= name.length
    if (charactersLeft <= 0) break
    const value = truncate(charactersLeft, String(values))
    charactersLeft -= value.length
    firstHeaders.push([name, value])
  }
  return firstHeaders
}

/** Copy when truncating: a part of a string would keep the whole string in memory. */
function truncate(length: number, text: string): string {
  if (text.length <= length) return text
  const start = Buffer.from(text.slice(0, length - 1)).toString()
  return `${start}…`
}

/** Bytes kept of a body. */
const MAX_KEPT_BYTES = 4_096

/**
 * Reads the body of a response until it ends, is too long or takes too long, and returns its first
 * bytes. A body that breaks off is no error: it does not affect the outcome of a delivery.
 */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  const late = setTimeout(() => body.destroy(), DRAIN_MS)
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      if (size < MAX_KEPT_BYTES) parts.push(part)
      size += part.length
      if (size > MAX_RESPONSE_BYTES) break
    }
  } catch {
    // The body was cut off.
  }
  clearTimeout(late)
  // Copy: a subarray would keep the whole buffer in memory.
  return Buffer.from(Buffer.concat(parts).subarray(0, MAX_KEPT_BYTES))
}

/**
 * Creates an HTTP client for one request on one connection. Its socket is opened to an address that
 * was checked, so a delivery cannot reach a machine that is not public.
 */
function createClient(target: Target, settings: AttemptSettings, signal: AbortSignal): Client {
  // Half of the time, so that a second address can be tried if the first one is silent.
  const options = { ...settings, attemptMs: settings.timeoutMs / 2, signal }
  return new Client(target.url.origin, {
    connect: (_, done) => {
      dial(target, options).then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      )
    },
    pipelining: 0, // connection: close
    allowH2: false,
    maxHeaderSize: MAX_RESPONSE_BYTES,
  })
}

/**
 * The outcome of a delivery, by the status of its response. Only a 2xx is a success (Standard
 * Webhooks 1.0.0, deliverability).
 */
function judgeStatus(status: number, durationMs: number): Outcome {
  if (status >= 200 && status <= 299) return { ok: true, status, durationMs }

  const isRedirect = status >= 300 && status <= 399
  const reason = isRedirect ? 'redirect' : 'status'
  return { ok: false, reason, status, detail: `the receiver returned ${status}`, durationMs }
}

/**
 * Converts an error of undici, after the connection was made, to a failure with one of our reasons,
 * such as `tls` or `reset`.
 */
function classifyError(error: unknown): DeliveryFailure {
  const { code = 'no code', message = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  const failure = (reason: Reason, detail: string) =>
    new DeliveryFailure(reason, detail, { cause: error })

  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return failure('answer_too_large', 'the headers of the response are too large')
  }
  if (isNoHttp(error, code, message)) {
    return failure('protocol', 'the response is not HTTP/1.1')
  }
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return failure('tls', `no secure connection (${code})`)
  }
  if (CONNECTION_LOST.has(code)) {
    return failure('reset', 'the connection ended before a response')
  }
  return failure('internal', `the delivery failed (${code})`)
}

const CONNECTION_LOST = new Set([
  'UND_ERR_SOCKET', // undici: the other side closed the connection
  'ECONNRESET', // the other side reset it
  'EPIPE', // it was closed before everything was written
])

/** Whether the response is not HTTP/1.1. */
function isNoHttp(error: unknown, code: string, message: string): boolean {
  if (error instanceof errors.HTTPParserError) return true
  if (code.startsWith('UND_ERR_RES_')) return true
  return code === 'UND_ERR_SOCKET' && NO_HTTP_MESSAGES.has(message)
}

/**
 * undici distinguishes an invalid response from a lost connection only by the message: `bad
 * response` is an unexpected 100, `bad upgrade` an unexpected 101.
 */
const NO_HTTP_MESSAGES = new Set(['bad response', 'bad upgrade'])

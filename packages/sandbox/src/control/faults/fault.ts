import type { Socket } from 'node:net'
import type { RefusalCode } from '../../behaviour.ts'
import { Refusal, refuse } from '../../problems.ts'
import type { PerformWithFault } from '../../service/service.ts'
import type { Bodies } from '../input.ts'
import { FAULT_HEADERS } from './headers.ts'

/** A fault to inject into one request. Times are in milliseconds. */
export type Fault = Pick<Bodies['/faults'], 'kind' | 'ms' | 'status' | 'after'>

/**
 * Returns a function that performs an operation with a fault: it delays, cuts or replaces the
 * response. If the fault comes after the work, a client sees an error although something happened.
 *
 * @param perform (of the returned function) performs the operation, and resolves with its response
 */
export function createFault(
  { kind, ms = 0, status = 500, after: comesAfterWork = false }: Fault,
  sleep: Sleep,
): PerformWithFault {
  return async (perform) => {
    switch (kind) {
      case 'latency': {
        if (!comesAfterWork) await sleep(ms)
        const response = await perform()
        if (comesAfterWork) await sleep(ms)
        return response
      }
      case 'status':
        if (comesAfterWork) await perform()
        throw createRefusal(status)
      case 'lose_response':
        await perform()
        return createCut('end')
      case 'reset':
        return createCut('reset')
      case 'reject_transfer':
        // The code of a rejection by the receiving institution.
        return perform('DS04')
      case 'slow_body':
        return slowDown(await perform(), ms, sleep)
      // Faults of deliveries are taken where a delivery is attempted.
      case 'fail_deliveries':
        throw new Error('a delivery rule was applied to a request')
    }
  }
}

/** The refusal with the status of a fault. 429 and 503 ask the client to wait a second. */
function createRefusal(status: number): Refusal {
  const detail = 'A fault rule or header of the sandbox caused this response.'
  const headers = { 'retry-after': '1' }
  return ASK_TO_WAIT.has(status)
    ? new Refusal(chooseCode(status), { status, headers, detail })
    : new Refusal(chooseCode(status), { status, detail })
}

/** Statuses whose responses name a time for the next request. */
const ASK_TO_WAIT = new Set([
  429, // too many requests
  503, // not available now
])

/** A status outside the contract gets the nearest code. */
function chooseCode(status: number): RefusalCode {
  const code = CODES[status]
  if (code) return code
  return status < 500 ? 'invalid_request' : 'unavailable'
}

const CODES: Readonly<Record<number, RefusalCode>> = {
  401: 'invalid_token',
  403: 'wrong_token_kind',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  500: 'internal_error',
}

const NAME = 'x-sandbox-fault'

/**
 * Reads the fault that a request asks for: `status=503`, `latency=500`, `lose-response`, `reset` or
 * `slow-body=50`.
 */
export function readFault({ headers }: Request): Fault | undefined {
  const text = headers.get(NAME)
  if (text === null) return undefined
  return parseFault(text) ?? refuse('invalid_request', NAME, EXPECTED)
}

const FORMS = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(FAULT_HEADERS)
const EXPECTED = `"${NAME}" must be ${FORMS}.`

/**
 * Reads a fault from the text of a request header, such as `reset`, `status=503` or `latency=200`
 * (milliseconds); undefined if it has no such form.
 */
function parseFault(text: string): Fault | undefined {
  if (text === 'lose-response') return { kind: 'lose_response' }
  if (text === 'reset') return { kind: 'reset' }

  const [, name, digits] = NAME_AND_NUMBER.exec(text) ?? []
  // NaN, which is in no range, if the text has another form.
  const number = Number(digits)
  const isErrorStatus = number >= 400 && number <= 599
  const isPause = number <= MAX_MS

  if (name === 'status' && isErrorStatus) return { kind: 'status', status: number }
  if (name === 'latency' && isPause) return { kind: 'latency', ms: number }
  if (name === 'slow-body' && isPause) return { kind: 'slow_body', ms: number }
  return undefined
}

/** Such as `status=503`. */
const NAME_AND_NUMBER = /^([a-z-]+)=(\d{1,5})$/

/** Maximum milliseconds that a header may ask for. */
const MAX_MS = 60_000

/** Waits, but only until the sandbox closes. */
type Sleep = (ms: number) => Promise<void>

/** Maximum milliseconds for a whole body. */
const MAX_BODY_MS = 60_000

/**
 * Sends the same response one byte at a time with a pause after each, or more bytes at a time if
 * that would take too long.
 */
async function slowDown(response: Response, ms: number, sleep: Sleep): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.byteLength === 0) return response
  const { status, headers } = response
  // With a content-length, the server would buffer the first pieces to count them.
  const headersWithLength = new Headers(headers)
  headersWithLength.set('content-length', String(bytes.byteLength))
  const body = createStream(splitSlowly(bytes, ms, sleep))
  return new Response(body, { status, headers: headersWithLength })
}

/**
 * Converts a generator of byte chunks to a stream. The next chunk is made when the reader asks for
 * it, and cancelling the stream ends the generator.
 */
function createStream(
  source: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await source.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await source.return(undefined)
    },
  })
}

/**
 * Yields the bytes in pieces, and waits `ms` after each. The pieces are so large that all pauses
 * together take a minute at most: with 1,000 ms for each, there are 60 pieces at most.
 */
async function* splitSlowly(bytes: Uint8Array<ArrayBuffer>, ms: number, sleep: Sleep) {
  const msWithOneByteEach = bytes.byteLength * ms
  // At least one byte at a time, also without pauses.
  const size = Math.max(1, Math.ceil(msWithOneByteEach / MAX_BODY_MS))
  for (let at = 0; at < bytes.byteLength; at += size) {
    yield bytes.subarray(at, at + size)
    await sleep(ms)
  }
}

/**
 * How to end a connection without a response: an orderly close (FIN) or a reset (RST; RFC 9293,
 * section 3.5.2).
 */
type Cut = 'end' | 'reset'

// A WeakMap, because every response is checked. Reading `type` would make Hono build a full
// Response, which is slow.
const cuts = new WeakMap<Response, Cut>()

/** Creates the marker for "no response": a network error (Fetch Standard, section 2.2.6). */
function createCut(how: Cut): Response {
  const response = Response.error()
  cuts.set(response, how)
  return response
}

/** Whether a response is such a marker. */
export function isCut(response: Response): boolean {
  return cuts.has(response)
}

/** Ends the connection as a marker says. */
export function endConnection(socket: Socket, marker: Response): void {
  if (cuts.get(marker) === 'reset') socket.resetAndDestroy()
  else socket.destroy()
}

import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import type { ReceivedResponse } from '../history.ts'
import { decodeContent, MAX_BODY_BYTES, removeCodings } from '../send/transport.ts'
import { UNKNOWN_BODY } from '../traffic.ts'

/**
 * Decodes the body of a request that passed through the proxy. Undefined if it has none, `UNKNOWN_BODY` if
 * it was too large, cut off, or cannot be decoded.
 */
export function readRequestBody({ headers, complete }: IncomingMessage, bytes: Buffer | undefined) {
  if (!bytes || !complete) return UNKNOWN_BODY
  if (bytes.length === 0) return undefined
  try {
    return Buffer.from(removeCodings(bytes, headers['content-encoding']) ?? bytes).toString()
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

/**
 * Lists the headers of a message that the proxy passes on, names and values in turn: `['accept', '*']`.
 * Headers that hold for one connection only, such as `keep-alive`, are left out.
 */
export function listPassedHeaders({
  rawHeaders,
  headers: { connection = '', ...others },
}: IncomingMessage): string[] {
  // The sender names further headers of its connection.
  const named = connection.split(',').map((name) => name.trim().toLowerCase())
  const ofConnection = new Set([...NOT_PASSED, ...named])
  // Only a message in chunks has trailers, and Node refuses to announce them for another.
  if (others['transfer-encoding'] === undefined) ofConnection.add('trailer')
  const headers: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    const value = rawHeaders[i + 1] ?? ''
    if (!ofConnection.has(name.toLowerCase())) headers.push(name, value)
  }
  return headers
}

/** Methods to whose requests Node adds no body by itself. */
const WITHOUT_BODY: ReadonlySet<string | undefined> = new Set([
  'GET',
  'HEAD',
  'DELETE',
  'OPTIONS',
  'TRACE',
])

/** The header that says that there is no body, which Node would send as an empty chunk. */
export function missingContentLength({ method, headers }: IncomingMessage): string[] {
  const hasBody = 'content-length' in headers || 'transfer-encoding' in headers
  return hasBody || WITHOUT_BODY.has(method) ? [] : ['content-length', '0']
}

/** Passes on the headers that follow a body in chunks. */
export function passTrailers(from: IncomingMessage, to: ServerResponse | ClientRequest): void {
  const { rawTrailers } = from
  const trailers: [name: string, value: string][] = []
  for (let i = 0; i < rawTrailers.length; i += 2)
    trailers.push([rawTrailers[i] ?? '', rawTrailers[i + 1] ?? ''])
  if (trailers.length > 0) to.addTrailers(trailers)
}

/**
 * Bytes of all bodies that may wait for their end. What exceeds it, or is larger than one may be,
 * passes and is not judged.
 */
const MAX_HELD_BYTES = 50_000_000

/** Bytes of all bodies that wait for their end. */
let heldBytes = 0

/**
 * Copies the bytes of a message while they pass through the proxy. `end` stops copying and returns them;
 * undefined if there were too many, in this message or in all that are copied at the time, which `heldBytes`
 * counts.
 */
export function copyBody(message: IncomingMessage): { end(): Buffer | undefined } {
  const parts: Buffer[] = []
  let size = 0
  let isTooLarge = false
  let isEnded = false

  message.on('data', (part: Buffer) => {
    if (isEnded) return

    const exceedsOne = size + part.length > MAX_BODY_BYTES
    const exceedsAll = heldBytes + part.length > MAX_HELD_BYTES
    if (exceedsOne || exceedsAll) isTooLarge = true
    if (isTooLarge) return

    parts.push(part)
    size += part.length
    heldBytes += part.length
  })

  return {
    end() {
      isEnded = true
      heldBytes -= size
      const isTooLargeNow = isTooLarge || (size > MAX_BYTES_IF_SCARCE && isMemoryScarce())
      // A second call gives nothing back.
      size = 0
      return isTooLargeNow ? undefined : Buffer.concat(parts)
    },
  }
}

/** Bytes of a body that is still judged where the memory is scarce. */
const MAX_BYTES_IF_SCARCE = 20_000
/** The part of its memory above which the process may soon be ended. */
const SCARCE_PART = 0.5

/**
 * Whether so much memory is used that large bodies had better not be kept. Of each of thousands of records, the model
 * remembers the response that created it.
 */
function isMemoryScarce(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used > SCARCE_PART * limit
}

/** Builds the response for the history from the copy of its body; undefined if that cannot be decoded. */
export function readResponse(
  response: IncomingMessage,
  body: Buffer,
): ReceivedResponse | undefined {
  const headers = joinHeaders(response)
  try {
    const bytes = removeCodings(body, headers['content-encoding'])
    if (!bytes) return undefined
    return { status: response.statusCode ?? 0, headers, ...decodeContent(bytes) }
  } catch {
    return undefined
  }
}

/** Reads the headers, and joins those that occur several times. */
export function joinHeaders({ headers }: IncomingMessage): Record<string, string> {
  const joined = Object.entries(headers).map(([name, value = '']) => {
    const isRepeated = typeof value !== 'string'
    return [name, isRepeated ? value.join(', ') : value]
  })
  return Object.fromEntries(joined)
}

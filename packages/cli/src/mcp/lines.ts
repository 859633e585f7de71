import { Transform } from 'node:stream'
import {
  ErrorCode,
  JSONRPCMessageSchema,
  RequestIdSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '@partner-payments/contract'

/** Bytes of one message. The largest body of the contract is far below. */
export const MAX_MESSAGE = 1_000_000
/** Bytes at each end of a message that is too long, in which its id may be. */
const END = 1_000
const LINE_FEED = 0x0a

/** A message that is too long, as far as it is kept. */
interface Overlong {
  readonly start: Buffer
  readonly end: Buffer
}

/**
 * Passes messages on, each of which is a line. One that is too long or invalid is left out and
 * refused, since the transport of the SDK would end or drop it without a word, and the agent would
 * wait for a response.
 *
 * @param respond takes an error response of JSON-RPC
 */
export function passValidLines(respond: (response: object) => void): Transform {
  let line = new Line()
  return new Transform({
    transform(chunk: Buffer, _, done) {
      for (const part of splitAfterLineFeeds(chunk)) {
        line.add(part)
        const isComplete = part.at(-1) === LINE_FEED
        if (!isComplete) continue

        const { overlong } = line
        const message = line.join()
        const refusals = overlong ? [refuseOverlong(overlong)] : refuseInvalid(message)
        for (const refusal of refusals) respond(refusal)
        if (refusals.length === 0) this.push(message)
        line = new Line()
      }
      done()
    },
  })
}

/** Splits bytes after each line feed: `a\nb` into `a\n` and `b`. */
function splitAfterLineFeeds(chunk: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  while (start < chunk.length) {
    const lineFeed = chunk.indexOf(LINE_FEED, start)
    const end = lineFeed === -1 ? chunk.length : lineFeed + 1
    parts.push(chunk.subarray(start, end))
    start = end
  }
  return parts
}

/** The parts of a line. Once it is too long, only its ends are kept, for the error response. */
class Line {
  #parts: Buffer[] = []
  #size = 0
  /** Undefined unless the line is too long. */
  overlong: Overlong | undefined

  /** Adds the next part of the line. */
  add(part: Buffer): void {
    // The line was too long before: only its end changes.
    if (this.overlong) {
      const { start, end } = this.overlong
      this.overlong = { start, end: Buffer.concat([end, part]).subarray(-END) }
      return
    }

    this.#parts.push(part)
    this.#size += part.length
    if (this.#size <= MAX_MESSAGE) return

    // The line became too long.
    const line = this.join()
    this.overlong = { start: line.subarray(0, END), end: line.subarray(-END) }
    this.#parts = []
  }

  join(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

function refuseOverlong(overlong: Overlong): object {
  const message = `The message has more than ${MAX_MESSAGE} bytes. Send less.`
  return createRefusal(ErrorCode.InvalidRequest, message, findId(overlong))
}

/** An error response of JSON-RPC 2.0 (section 5), whose id is null if the request has no valid one. */
function createRefusal(code: ErrorCode, message: string, id: string | number | null): object {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** The error responses to a line that is no message of the protocol. None if it is one, or empty. */
function refuseInvalid(line: Buffer): object[] {
  const text = line.toString()
  const isBlank = /^[ \t\r\n]*$/.test(text)
  if (isBlank) return []

  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return [createRefusal(ErrorCode.ParseError, 'The message is not JSON.', null)]
  }

  if (Array.isArray(message)) return refuseBatch(message)
  // No response to a response: its id is one of the server, and not of a request of the agent.
  if (isResponse(message) || JSONRPCMessageSchema.safeParse(message).success) return []
  return [refuseRequest(message)]
}

/**
 * One error response for each request of a batch, by its id, since an agent waits for each. The
 * protocol has had no batches since its version 2025-06-18.
 */
function refuseBatch(batch: readonly unknown[]): object[] {
  const message = 'Batches are not supported: send each message on a line of its own.'
  const requests = batch.filter((item) => !isResponse(item))
  const knownIds = requests.map(readId).filter((id) => id !== null)
  // A batch may be empty, or have no request with an id.
  const ids = knownIds.length === 0 ? [null] : knownIds
  return ids.map((id) => createRefusal(ErrorCode.InvalidRequest, message, id))
}

function refuseRequest(request: unknown): object {
  const hasInvalidId =
    isObject(request) && 'id' in request && !RequestIdSchema.safeParse(request.id).success
  const message = hasInvalidId
    ? '"id" must be a string, or an integer from -(2^53 - 1) to 2^53 - 1.'
    : 'The message is not a request or notification of JSON-RPC 2.0.'
  return createRefusal(ErrorCode.InvalidRequest, message, readId(request))
}

/** The id by which an agent recognises the response to a request; null if there is none. */
function readId(request: unknown): string | number | null {
  const id = isObject(request) ? request.id : undefined
  if (typeof id === 'string') return id
  // A larger number may have been rounded when it was read, and would be another id.
  const isExact = typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER
  return isExact ? id : null
}

function isResponse(message: unknown): boolean {
  return isObject(message) && !('method' in message) && ('result' in message || 'error' in message)
}

const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")`
/** Where clients write it: before the method, or after the parameters. */
const AT_START = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}\s*,`)
const AT_END = new RegExp(
  String.raw`\}\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`,
)

/** The id of a request, which its client waits for; null if it cannot be found. */
function findId({ start, end }: Overlong): string | number | null {
  const [, id] = AT_START.exec(start.toString()) ?? AT_END.exec(end.toString()) ?? []
  return id === undefined ? null : JSON.parse(id)
}

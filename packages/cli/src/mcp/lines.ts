import { Transform } from 'node:stream'

/** Bytes of one message. The largest body of the contract is far below. */
export const MAX_MESSAGE = 1_000_000
/** Bytes at each end of a message that is too long, in which its id may be. */
const END = 1_000
const LINE_FEED = 0x0a
/** JSON-RPC 2.0, section 5.1: "Invalid Request". */
const INVALID_REQUEST = -32_600

/** A message that is too long, as far as it is kept. */
interface Overlong {
  readonly start: Buffer
  readonly end: Buffer
}

/**
 * Passes messages on, each of which is a line. One that is too long is left out and reported, since
 * the transport of the SDK would end without a word.
 *
 * @param respond takes an error response of JSON-RPC
 */
export function limitLines(respond: (response: object) => void): Transform {
  let line = new Line()
  return new Transform({
    transform(chunk: Buffer, _, done) {
      for (const part of splitAfterLineFeeds(chunk)) {
        line.add(part)
        const isComplete = part.at(-1) === LINE_FEED
        if (!isComplete) continue

        if (line.overlong) respond(createRefusal(line.overlong))
        else this.push(line.join())
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

function createRefusal(overlong: Overlong): object {
  const message = `The message has more than ${MAX_MESSAGE} bytes. Send less.`
  return { jsonrpc: '2.0', id: findId(overlong), error: { code: INVALID_REQUEST, message } }
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

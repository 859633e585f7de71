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
  end: Buffer
}

/**
 * Passes messages on, each of which is a line. One that is too long is left out and reported, since
 * the transport of the SDK would end without a word.
 *
 * @param respond takes an error response of JSON-RPC
 */
export function limitLines(respond: (response: object) => void): Transform {
  let parts: Buffer[] = []
  let size = 0
  let overlong: Overlong | undefined

  /**
   * Adds bytes to the current line. Once the line is too long, only its ends are kept, for the
   * error response.
   */
  function addPart(part: Buffer): void {
    if (overlong) {
      overlong.end = Buffer.concat([overlong.end, part]).subarray(-END)
      return
    }
    parts.push(part)
    size += part.length
    if (size <= MAX_MESSAGE) return
    const line = Buffer.concat(parts)
    overlong = { start: line.subarray(0, END), end: line.subarray(-END) }
    parts = []
  }

  /**
   * Ends the current line, and returns it. A line that is too long is reported instead; then it
   * returns undefined.
   */
  function endLine(): Buffer | undefined {
    const line = Buffer.concat(parts)
    const tooLong = overlong
    parts = []
    size = 0
    overlong = undefined
    if (!tooLong) return line
    respond(createRefusal(tooLong))
    return undefined
  }

  return new Transform({
    /** Splits a chunk at its line feeds. The bytes after the last one begin the next line. */
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        addPart(chunk.subarray(from, at + 1))
        const line = endLine()
        if (line) this.push(line)
        from = at + 1
      }
      if (from < chunk.length) addPart(chunk.subarray(from))
      done()
    },
  })
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

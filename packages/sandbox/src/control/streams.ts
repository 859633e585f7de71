import { Refusal } from '../problems.ts'

/** Maximum number of open streams. */
const MAX_STREAMS = 50
/** Milliseconds between comments, which keep the stream alive in proxies and browsers. */
const COMMENT_MS = 15_000
/** Events that may wait for a slow reader before its stream is closed. */
const MAX_WAITING = 64
/** Minimum milliseconds between two notifications: four a second. */
const INTERVAL_MS = 250

type Stream = ReadableStreamDefaultController<Uint8Array>

const encoder = new TextEncoder()

/** The open event streams (HTML Living Standard, 9.2 Server-sent events). */
export type Streams = ReturnType<typeof createStreams>

export function createStreams() {
  const streams = new Set<Stream>()
  const comments = setInterval(() => send(': alive\n\n'), COMMENT_MS).unref()
  let isClosed = false
  let notifiedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  function notify(): void {
    timer = undefined
    notifiedAt = performance.now()
    send('event: change\ndata: {}\n\n')
  }

  /** Sends a text to each page, and ends the stream of a page that has stopped reading. */
  function send(text: string): void {
    for (const stream of streams) {
      // Negative: how much was sent that the page has not read.
      const isSlow = (stream.desiredSize ?? 0) < -MAX_WAITING
      if (isSlow) end(stream)
      else stream.enqueue(encoder.encode(text))
    }
  }

  function end(stream: Stream): void {
    streams.delete(stream)
    stream.close()
  }

  return {
    /**
     * Opens a stream of server-sent events for one page: it sends an event `change` with the data
     * `{}` whenever something changed.
     *
     * @throws {Refusal} if too many streams are open, or the sandbox is stopping
     */
    open(): Response {
      const isFull = streams.size >= MAX_STREAMS
      if (isClosed || isFull) throw new Refusal('unavailable', { detail: TOO_MANY_STREAMS })

      let stream: Stream
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          stream = controller
          streams.add(stream)
          // A line that begins with a colon is a comment, and no event.
          stream.enqueue(encoder.encode(': open\n\n'))
        },
        cancel() {
          streams.delete(stream)
        },
      })
      return new Response(body, { headers: HEADERS })
    },
    /**
     * Tells every stream that something changed, but not what. Several changes in a short time are
     * sent once.
     */
    announce(): void {
      if (timer || streams.size === 0) return
      const waitMs = notifiedAt + INTERVAL_MS - performance.now()
      timer = setTimeout(notify, Math.max(0, waitMs)).unref()
    },
    /** Closes every stream, and refuses new ones. */
    close(): void {
      isClosed = true
      clearInterval(comments)
      streams.forEach(end)
    },
  }
}

const TOO_MANY_STREAMS = `No more than ${MAX_STREAMS} streams are served at a time.`
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // With keep-alive, the connection of an ended stream would delay a server that closes.
  connection: 'close',
}

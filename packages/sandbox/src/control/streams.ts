import { Refusal } from '../problems.ts'

/** Maximum number of open streams. */
const STREAMS = 50
/** Milliseconds between comments, which keep the stream alive in proxies and browsers. */
const COMMENT_MS = 15_000
/** Events that may wait for a slow reader before its stream is closed. */
const WAITING = 64
/** Minimum milliseconds between two notifications: four a second. */
const INTERVAL_MS = 250

interface Stream {
  send(text: string): void
  end(): void
}

/** The open event streams (HTML Living Standard, 9.2 Server-sent events). */
export type Streams = ReturnType<typeof createStreams>

export function createStreams() {
  const streams = new Set<Stream>()
  let isClosed = false
  let notifiedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  function notify(): void {
    timer = undefined
    notifiedAt = performance.now()
    for (const { send } of streams) send('event: change\ndata: {}\n\n')
  }

  return {
    /**
     * Opens a stream that sends an event `change` with the data `{}` whenever something changed.
     *
     * @throws {Refusal} `unavailable` when too many are open, or the sandbox is closing.
     */
    open(): Response {
      if (isClosed || streams.size >= STREAMS) throw new Refusal('unavailable', { detail: FULL })
      return new Response(streamIn(streams), { headers: HEADERS })
    },
    /** Tells every stream that something changed, but not what. Several changes in a short time are sent once. */
    announce(): void {
      if (timer || streams.size === 0) return
      timer = setTimeout(notify, Math.max(0, notifiedAt + INTERVAL_MS - performance.now())).unref()
    },
    /** Closes every stream, and refuses new ones. */
    close(): void {
      isClosed = true
      for (const { end } of streams) end()
    },
  }
}

const FULL = `No more than ${STREAMS} streams are served at a time.`
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // With keep-alive, the connection of an ended stream would delay a server that closes.
  connection: 'close',
}

function streamIn(streams: Set<Stream>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let release = () => {}
  return new ReadableStream({
    start(controller) {
      const stream: Stream = {
        send(text) {
          if ((controller.desiredSize ?? 0) < -WAITING) return stream.end()
          controller.enqueue(encoder.encode(text))
        },
        end() {
          release()
          controller.close()
        },
      }
      const timer = setInterval(stream.send, COMMENT_MS, ': alive\n\n').unref()
      release = () => {
        clearInterval(timer)
        streams.delete(stream)
      }
      streams.add(stream)
      stream.send(': open\n\n')
    },
    cancel: () => release(),
  })
}

import { Refusal } from '../problems.ts'

/** Maximum number of open streams. */
const STREAMS = 50
/** Milliseconds between comments, which keep the stream alive in proxies and browsers. */
const COMMENT_MS = 15_000
/** Events that may wait for a slow reader before its stream is closed. */
const WAITING = 64

/** The open event streams (HTML Living Standard, 9.2 Server-sent events). */
export type Streams = ReturnType<typeof createStreams>

export function createStreams(changes: Changes) {
  const ends = new Set<() => void>()
  let isClosed = false
  return {
    /**
     * Opens a stream that sends an event `change` with the data `{}` whenever something changed.
     *
     * @throws {Refusal} `unavailable` when too many are open, or the sandbox is closing.
     */
    open(): Response {
      if (isClosed || ends.size >= STREAMS) throw new Refusal('unavailable', { detail: FULL })
      return new Response(streamOf(changes, ends), { headers: HEADERS })
    },
    /** Closes every stream, and refuses new ones. */
    close(): void {
      isClosed = true
      for (const end of ends) end()
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

function streamOf(changes: Changes, ends: Set<() => void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let release = () => {}
  return new ReadableStream({
    start(controller) {
      const send = (text: string) => {
        if ((controller.desiredSize ?? 0) < -WAITING) return end()
        controller.enqueue(encoder.encode(text))
      }
      const deafen = changes.listen(() => send('event: change\ndata: {}\n\n'))
      const timer = setInterval(send, COMMENT_MS, ': alive\n\n').unref()
      const end = () => {
        release()
        controller.close()
      }
      release = () => {
        deafen()
        clearInterval(timer)
        ends.delete(end)
      }
      ends.add(end)
      send(': open\n\n')
    },
    cancel: () => release(),
  })
}

/** Minimum milliseconds between two notifications: four a second. */
const INTERVAL_MS = 250

/** Tells listeners that something changed, but not what. Several changes in a short time are reported once. */
export type Changes = ReturnType<typeof createChanges>

export function createChanges() {
  const listeners = new Set<() => void>()
  let notifiedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  function notify(): void {
    timer = undefined
    notifiedAt = performance.now()
    for (const listener of listeners) listener()
  }

  return {
    announce(): void {
      if (timer || listeners.size === 0) return
      timer = setTimeout(notify, Math.max(0, notifiedAt + INTERVAL_MS - performance.now())).unref()
    },
    /** @returns a function that removes the listener. */
    listen(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

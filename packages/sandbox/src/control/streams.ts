import { Refusal } from '../problems.ts'
import type { Changes } from './changes.ts'

/** Streams at a time, at most. */
const STREAMS = 50
/** Milliseconds between comments, by which proxies and browsers see that a stream lives. */
const COMMENT_MS = 15_000
/** Events that may wait for a reader that does not read, before its stream ends. */
const WAITING = 64

/** The streams that are open (HTML Living Standard, 9.2 Server-sent events). */
export interface Streams {
  /**
   * Opens a stream: an event `change` with the data `{}` whenever something has changed.
   *
   * @throws {Refusal} `unavailable` when too many are open, or the sandbox is closing.
   */
  open(): Response
  /** Ends every stream, and opens no more. */
  close(): void
}

export function createStreams(changes: Changes): Streams {
  const ends = new Set<() => void>()
  let isClosed = false
  return {
    open() {
      if (isClosed || ends.size >= STREAMS) throw new Refusal('unavailable', { detail: FULL })
      return new Response(streamOf(changes, ends), { headers: HEADERS })
    },
    close() {
      isClosed = true
      for (const end of ends) end()
    },
  }
}

const FULL = `No more than ${STREAMS} streams are served at a time.`
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Kept alive, a connection whose stream has ended would hold up a server that closes.
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

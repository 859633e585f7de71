/** How the page learns of changes, in a word for people. */
export type Liveness = 'Live' | 'Polling' | 'No response'

export interface LiveOptions {
  /** Fetches and shows what is there now; rejects where nothing answers. */
  readonly refresh: () => Promise<void>
  readonly show: (liveness: Liveness) => void
}

const POLL_MS = 2_000

/**
 * Refreshes on every change that the stream tells of, and every 2 s while there is no stream. A page that nobody sees
 * does neither: browsers open six connections to one place, and a stream takes one.
 *
 * @returns what refreshes at once
 */
export function follow({ refresh, show }: LiveOptions): () => Promise<void> {
  let stream: EventSource | undefined
  const once = coalesced(async () => {
    try {
      await refresh()
      show(stream?.readyState === EventSource.OPEN ? 'Live' : 'Polling')
    } catch {
      show('No response')
    }
  })
  const open = () => {
    stream = new EventSource('/_sandbox/stream')
    stream.addEventListener('open', once)
    stream.addEventListener('change', once)
  }
  const tick = () => {
    if (document.hidden || stream?.readyState === EventSource.OPEN) return
    if (stream?.readyState === EventSource.CLOSED) open()
    void once()
  }
  document.addEventListener('visibilitychange', () => {
    stream?.close()
    if (!document.hidden) open()
  })
  open()
  setInterval(tick, POLL_MS)
  return once
}

/** Runs one at a time; what is asked for meanwhile is done once, after it. */
function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isAskedAgain = false
  const run = async (): Promise<void> => {
    do {
      isAskedAgain = false
      await work()
    } while (isAskedAgain)
    running = undefined
  }
  return () => {
    if (running) isAskedAgain = true
    else running = run()
    return running ?? Promise.resolve()
  }
}

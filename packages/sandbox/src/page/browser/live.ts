/** How the page receives changes, as shown to the user. */
export type Liveness = 'Live' | 'Polling' | 'No response'

const POLL_MS = 2_000

/**
 * Keeps the page current: refreshes on every change that the sandbox announces on its stream, and
 * every 2 s without a stream. A hidden page does neither: browsers open only six connections per
 * origin, and a stream occupies one.
 *
 * @param refresh fetches and shows the current state; rejects if the sandbox does not respond
 * @param show shows whether the page is current
 * @returns a function that refreshes at once
 */
export function followChanges(
  refresh: () => Promise<void>,
  show: (liveness: Liveness) => void,
): () => Promise<void> {
  const refreshOnce = runOneAtATime(async () => {
    try {
      await refresh()
      const isLive = stream.readyState === EventSource.OPEN
      show(isLive ? 'Live' : 'Polling')
    } catch {
      show('No response')
    }
  })
  let stream = openStream(refreshOnce)

  function poll(): void {
    const isLive = stream.readyState === EventSource.OPEN
    if (document.hidden || isLive) return

    const isClosed = stream.readyState === EventSource.CLOSED
    if (isClosed) stream = openStream(refreshOnce)
    void refreshOnce()
  }

  document.addEventListener('visibilitychange', () => {
    stream.close()
    if (!document.hidden) stream = openStream(refreshOnce)
  })
  setInterval(poll, POLL_MS)
  return refreshOnce
}

/** Opens the stream on which the sandbox announces changes. */
function openStream(onChange: () => void): EventSource {
  const stream = new EventSource('/_sandbox/stream')
  stream.addEventListener('open', onChange)
  stream.addEventListener('change', onChange)
  return stream
}

/**
 * Returns a function that runs `work`, one run at a time. Calls during a run are combined into one
 * more run after it.
 */
function runOneAtATime(work: () => Promise<void>): () => Promise<void> {
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
    if (running) {
      isAskedAgain = true
      return running
    }
    running = run()
    return running
  }
}

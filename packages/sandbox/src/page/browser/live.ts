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
  let stream: EventSource | undefined
  const once = runOneAtATime(async () => {
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
    if (document.hidden) return
    if (stream?.readyState === EventSource.OPEN) return
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
    if (running) isAskedAgain = true
    else running = run()
    return running ?? Promise.resolve()
  }
}

/** A signal of one call. */
interface JoinedSignal {
  readonly signal: AbortSignal
  /** Ends the listening, since the signals of the caller may outlive the call. */
  release(): void
}

/**
 * Returns a signal that aborts with the first of these: `AbortSignal.any` for older browsers. Call
 * `release` at the end of the call, or the listeners stay.
 */
export function joinSignals(...signals: (AbortSignal | null | undefined)[]): JoinedSignal {
  const controller = new AbortController()
  const releases: (() => void)[] = []
  for (const signal of signals) {
    if (!signal) continue
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    releases.push(() => signal.removeEventListener('abort', abort))
  }
  return {
    signal: controller.signal,
    release() {
      for (const release of releases) release()
    },
  }
}

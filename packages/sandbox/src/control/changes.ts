/** Minimum milliseconds between two notifications: four a second. */
const INTERVAL_MS = 250

/** Tells listeners that something changed, but not what. Several changes in a short time are reported once. */
export interface Changes {
  announce(): void
  /** @returns a function that removes the listener. */
  listen(listener: () => void): () => void
}

export function createChanges(): Changes {
  const listeners = new Set<() => void>()
  let notifiedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  function notify(): void {
    timer = undefined
    notifiedAt = performance.now()
    for (const listener of listeners) listener()
  }

  return {
    announce() {
      if (timer || listeners.size === 0) return
      timer = setTimeout(notify, Math.max(0, notifiedAt + INTERVAL_MS - performance.now())).unref()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Milliseconds between two tellings at least: four a second. */
const EVERY = 250

/** Tells listeners that something has changed, and not what: many changes in a moment are one. */
export interface Changes {
  announce(): void
  /** @returns a function that ends the listening. */
  listen(listener: () => void): () => void
}

export function createChanges(): Changes {
  const listeners = new Set<() => void>()
  let told = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  function tell(): void {
    timer = undefined
    told = performance.now()
    for (const listener of listeners) listener()
  }

  return {
    announce() {
      if (timer || listeners.size === 0) return
      timer = setTimeout(tell, Math.max(0, told + EVERY - performance.now())).unref()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

import { DeliveryFailure, isStopping } from './outcome.ts'

/** How many may be inside at the same time. */
export interface GateLimits {
  /** Per key. */
  perKey: number
  /** In total. */
  total: number
  /** Maximum number of waiters; more are refused. */
  waiting: number
}

/** Limits concurrency. A waiter for a busy key does not delay those for other keys. */
export interface Gate {
  /**
   * Waits for a free place, until the signal aborts. Call the returned function to leave.
   *
   * @throws {DeliveryFailure} `busy` when too many wait, `closed` after {@link Gate.close}; the reason of the signal
   */
  enter(key: string, signal?: AbortSignal): Promise<() => void>
  /** Refuses all waiters, now and later. */
  close(): void
}

interface Waiter {
  key: string
  admit: () => void
  reject: (failure: DeliveryFailure) => void
}

/** Creates a gate. */
export function createGate({ perKey, total, waiting }: GateLimits): Gate {
  const inside = new Map<string, number>()
  const queue = new Set<Waiter>()
  let count = 0
  let closed = false

  const hasRoom = (key: string) => count < total && (inside.get(key) ?? 0) < perKey
  const change = (key: string, by: 1 | -1) => {
    const left = (inside.get(key) ?? 0) + by
    count += by
    if (left === 0) inside.delete(key)
    else inside.set(key, left)
  }
  const leave = (key: string) => {
    change(key, -1)
    for (const waiter of queue) {
      if (count >= total) return
      if (!hasRoom(waiter.key)) continue
      queue.delete(waiter)
      waiter.admit()
    }
  }
  const admit = (key: string) => {
    change(key, 1)
    return () => leave(key)
  }

  return {
    async enter(key, signal) {
      if (closed) throw isStopping()
      signal?.throwIfAborted()
      if (hasRoom(key)) return admit(key)
      if (queue.size >= waiting)
        throw new DeliveryFailure('busy', `${waiting} deliveries are already waiting`)
      return new Promise((resolve, reject) => {
        const waiter = { key, admit: () => resolve(admit(key)), reject }
        queue.add(waiter)
        signal?.addEventListener('abort', () => queue.delete(waiter) && reject(signal.reason))
      })
    },
    close() {
      closed = true
      for (const waiter of queue) waiter.reject(isStopping())
      queue.clear()
    },
  }
}

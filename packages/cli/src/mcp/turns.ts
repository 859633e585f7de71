/** Does some work, now or after the work that was given before it. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Returns a function that does some work once fewer than `max` other works are in progress, in the
 * order in which they were given.
 */
export function limitWork(max: number): TakeTurn {
  const waiting: (() => void)[] = []
  let inProgress = 0

  /** Resolves when it is the turn of a work, which counts as in progress from then on. */
  function begin(): Promise<void> | undefined {
    if (inProgress === max) return new Promise((resolve) => waiting.push(resolve))
    inProgress++
    return undefined
  }

  /** Passes the turn on to the next work. */
  function end(): void {
    const startNext = waiting.shift()
    if (startNext) startNext()
    else inProgress--
  }

  return async (work) => {
    await begin()
    try {
      return await work()
    } finally {
      end()
    }
  }
}

/** Runs a task, at once or after those that were passed before it. */
export type RunTask = <T>(task: () => Promise<T>) => Promise<T>

/**
 * Returns a function that runs a task once fewer than `max` others are in progress, in the order in
 * which they were passed.
 */
export function limitConcurrency(max: number): RunTask {
  const waiting: (() => void)[] = []
  let inProgress = 0

  /** Resolves when a task may begin. It counts as in progress from then on. */
  function begin(): Promise<void> | undefined {
    if (inProgress === max) return new Promise((resolve) => waiting.push(resolve))
    inProgress++
    return undefined
  }

  /** Passes the place of a task that has ended on to the next one. */
  function end(): void {
    const startNext = waiting.shift()
    if (startNext) startNext()
    else inProgress--
  }

  return async (task) => {
    await begin()
    try {
      return await task()
    } finally {
      end()
    }
  }
}

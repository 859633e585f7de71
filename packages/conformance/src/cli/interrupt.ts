/**
 * A signal that Ctrl-C aborts. A second Ctrl-C ends the process at once: the default returns with the listener gone.
 */
export function interruptible(onInterrupt: () => void): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController()
  const interrupt = () => {
    done()
    controller.abort()
    onInterrupt()
  }
  const done = () => {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  return { signal: controller.signal, done }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

import { INTERRUPTIONS } from '../report/summary.ts'

/**
 * A signal that Ctrl-C and SIGTERM abort, for a reason that says which it was. A second one ends the process at once: the
 * default returns with the listener gone.
 */
export function interruptible(onInterrupt: () => void): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController()
  const interrupt = (name: NodeJS.Signals) => {
    done()
    controller.abort(INTERRUPTIONS[name as Name].reason)
    onInterrupt()
  }
  const done = () => {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  return { signal: controller.signal, done }
}

type Name = keyof typeof INTERRUPTIONS

const SIGNALS = Object.keys(INTERRUPTIONS) as readonly Name[]

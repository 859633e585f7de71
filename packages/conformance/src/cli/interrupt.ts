import { constants } from 'node:os'

/** A signal that Ctrl-C aborts. */
export interface Interruptible {
  readonly signal: AbortSignal
  /** 128 and the number of the signal, as a shell has it: 130 after Ctrl-C, 143 after SIGTERM; undefined before. */
  readonly exitCode: () => number | undefined
  readonly done: () => void
}

/**
 * Listens to Ctrl-C and SIGTERM. A second one ends the process at once: the default returns with the listener gone.
 */
export function interruptible(onInterrupt: () => void): Interruptible {
  const controller = new AbortController()
  let code: number | undefined
  const interrupt = (name: NodeJS.Signals) => {
    code = 128 + constants.signals[name]
    done()
    controller.abort()
    onInterrupt()
  }
  const done = () => {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  return { signal: controller.signal, exitCode: () => code, done }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

import { setFlagsFromString } from 'node:v8'
import { INTERRUPTIONS } from '../report/summary.ts'

/**
 * Keeps the young generation small. Nearly everything that a run allocates lives for one response only, and dies early in
 * a small one. A run takes as long, and a third less memory.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Writes a sentence on stderr. */
export function log(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Colours and columns of stdout. A pseudo terminal may report 0 columns. */
export function styleOfOutput(): { color: boolean; width: number } {
  const { columns, isTTY = false } = process.stdout
  return { color: isTTY && !process.env.NO_COLOR, width: columns || 100 }
}

type Name = keyof typeof INTERRUPTIONS
const SIGNALS = Object.keys(INTERRUPTIONS) as readonly Name[]

/**
 * Runs a work with a signal that Ctrl-C and SIGTERM abort; the reason says which. A second Ctrl-C ends the process at once:
 * the default returns with the listener gone.
 */
export async function interruptible<T>(
  onInterrupt: () => void,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const stop = () => {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
  const interrupt = (name: NodeJS.Signals) => {
    stop()
    controller.abort(INTERRUPTIONS[name as Name].reason)
    onInterrupt()
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  return work(controller.signal).finally(stop)
}

import { count, duration, number } from './text.ts'

/** Where progress is written, as stderr is. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** How far a run is. */
export interface Step {
  readonly phase: string
  /** Which of how many phases it is, from 1. */
  readonly phaseNumber: number
  readonly phases: number
  /** Laws that were tried, and how many there are to try. */
  readonly tried: number
  readonly laws: number
  readonly requests: number
  readonly findings: number
  /** Since the start. */
  readonly ms: number
}

/** Tells how far a run is. */
export interface Progress {
  update(step: Step): void
  /** Takes the line of a terminal away. */
  end(): void
}

const EVERY_MS = 100
/** Where it is no terminal, each line stays. */
const EVERY_MS_IN_LOGS = 15_000
const CLEAR = '\r\u001b[2K'

/**
 * Progress for people. On a terminal one line that is written over, at most ten times a second; elsewhere a line for
 * each phase, and every fifteen seconds.
 *
 * @example
 * const progress = createProgress(process.stderr)
 * progress.update({ phase: 'twins', phaseNumber: 3, phases: 10, tried: 40, laws: 95, requests: 1203, findings: 2, ms: 8000 })
 * progress.end()
 */
export function createProgress(stream: ProgressStream): Progress {
  return stream.isTTY ? onTerminal(stream) : inLog(stream)
}

function onTerminal(stream: ProgressStream): Progress {
  let last: Step | undefined
  return {
    update(step) {
      if (last && step.phase === last.phase && step.ms - last.ms < EVERY_MS) return
      last = step
      stream.write(CLEAR + shareOf(step).slice(0, (stream.columns || 80) - 1))
    },
    end() {
      if (last) stream.write(CLEAR)
      last = undefined
    },
  }
}

function inLog(stream: ProgressStream): Progress {
  let last: Step | undefined
  return {
    update(step) {
      if (last && step.phaseNumber <= last.phaseNumber && step.ms - last.ms < EVERY_MS_IN_LOGS) return
      last = step
      stream.write(`${lineOf(step)}, ${duration(step.ms)}\n`)
    },
    end() {},
  }
}

/** Of the laws, since they can be counted: what each takes, nobody knows before. */
function shareOf(step: Step): string {
  const percent = step.laws > 0 ? Math.floor((100 * step.tried) / step.laws) : 0
  return `${percent} %  ${lineOf(step)}`
}

function lineOf({ phase, phaseNumber, phases, tried, laws, requests, findings }: Step): string {
  const parts = [
    `phase ${phaseNumber} of ${phases} (${phase})`,
    `law ${number(tried)} of ${number(laws)}`,
    count(requests, 'request'),
    count(findings, 'finding'),
  ]
  return parts.join(', ')
}

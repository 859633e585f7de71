import type { Progress as RunProgress } from '../engine/check-options.ts'
import { count, duration, number } from './format-text.ts'

/** A stream such as stderr. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** The progress of a run. */
export interface Step extends Omit<RunProgress, 'rule' | 'cases'> {
  /** Since the start. */
  readonly ms: number
}

/** Shows progress. */
export interface Progress {
  update(step: Step): void
  /** Clears the line on a terminal. */
  end(): void
}

const EVERY_MS = 100
/** Lines in a log stay, so there are fewer. */
const EVERY_MS_IN_LOGS = 15_000
const CLEAR = '\r\u001b[2K'

/**
 * Shows the progress of a run. A terminal gets one line that is rewritten up to ten times per second; a log gets a
 * line per phase and every 15 seconds.
 *
 * @example
 * const progress = createProgress(process.stderr)
 * progress.update({ phase: 'http', phaseNumber: 6, phases: 10, tried: 40, rules: 95, requests: 1203, findings: 2, ms: 8000 })
 * progress.end()
 */
export function createProgress(stream: ProgressStream): Progress {
  const { isTTY = false } = stream
  let last: Step | undefined
  return {
    update(step) {
      const { phaseNumber, tried, rules, ms } = step
      const isNew = last && (isTTY ? phaseNumber !== last.phaseNumber : phaseNumber > last.phaseNumber)
      if (last && !isNew && ms - last.ms < (isTTY ? EVERY_MS : EVERY_MS_IN_LOGS)) return
      last = step
      // The share counts rules, because their durations are unknown.
      const text = `${shareOf(tried, rules)}  ${textOf(step)}`.slice(0, (stream.columns || 80) - 1)
      stream.write(isTTY ? CLEAR + text : `${textOf(step)}, ${duration(ms)}\n`)
    },
    end() {
      if (last && isTTY) stream.write(CLEAR)
      last = undefined
    },
  }
}

function textOf({ phase, phaseNumber, phases, tried, rules, requests, findings }: Step): string {
  return `phase ${phaseNumber} of ${phases} (${phase}), rule ${number(tried)} of ${number(rules)}, ${count(requests, 'request')}, ${count(findings, 'finding')}`
}

function shareOf(done: number, of: number): string {
  return `${of > 0 ? Math.floor((100 * done) / of) : 0} %`
}

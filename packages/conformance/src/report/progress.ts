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

/** The progress of a proof. */
export interface ProofStep {
  /** Faults done; 0 during the first run, without a fault. */
  readonly done: number
  readonly of: number
  /** Faults that escaped their rule. */
  readonly escaped: number
  /** Since the start. */
  readonly ms: number
}

/** Shows progress. */
export interface Progress<T = Step> {
  update(step: T): void
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
  // The share counts rules, because their durations are unknown.
  return linesOn(stream, ({ phase, phaseNumber, phases, tried, rules, requests, findings, ms }) => ({
    part: phaseNumber,
    share: shareOf(tried, rules),
    text: `phase ${phaseNumber} of ${phases} (${phase}), rule ${number(tried)} of ${number(rules)}, ${count(requests, 'request')}, ${count(findings, 'finding')}`,
    ms,
  }))
}

/** Shows the progress of a proof. */
export function createProofProgress(stream: ProgressStream): Progress<ProofStep> {
  return linesOn(stream, ({ done, of, escaped, ms }) => ({
    part: done > 0 ? 2 : 1,
    share: shareOf(done, of),
    text:
      done > 0
        ? `fault ${number(done)} of ${number(of)}, ${number(escaped)} not caught`
        : 'first a run without any fault',
    ms,
  }))
}

interface Line {
  /** A new part is shown at once. */
  readonly part: number
  /** `25 %` */
  readonly share: string
  readonly text: string
  readonly ms: number
}

function linesOn<T>(stream: ProgressStream, lineOf: (step: T) => Line): Progress<T> {
  const { isTTY = false } = stream
  let last: Line | undefined
  return {
    update(step) {
      const line = lineOf(step)
      const isNew = last && (isTTY ? line.part !== last.part : line.part > last.part)
      if (last && !isNew && line.ms - last.ms < (isTTY ? EVERY_MS : EVERY_MS_IN_LOGS)) return
      last = line
      const text = `${line.share}  ${line.text}`.slice(0, (stream.columns || 80) - 1)
      stream.write(isTTY ? CLEAR + text : `${line.text}, ${duration(line.ms)}\n`)
    },
    end() {
      if (last && isTTY) stream.write(CLEAR)
      last = undefined
    },
  }
}

function shareOf(done: number, of: number): string {
  return `${of > 0 ? Math.floor((100 * done) / of) : 0} %`
}

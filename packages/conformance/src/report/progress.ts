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
  /** Rules that were tried, and how many there are to try. */
  readonly tried: number
  readonly rules: number
  readonly requests: number
  readonly findings: number
  /** Since the start. */
  readonly ms: number
}

/** How far a proof is. */
export interface ProofStep {
  /** Faults that were tried, and how many there are to try; none while the service is seen without any. */
  readonly done: number
  readonly of: number
  /** Those tried that their rule did not name. */
  readonly escaped: number
  /** Since the start. */
  readonly ms: number
}

/** Tells how far something is. */
export interface Progress<Told = Step> {
  update(step: Told): void
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
 * progress.update({ phase: 'twins', phaseNumber: 3, phases: 10, tried: 40, rules: 95, requests: 1203, findings: 2, ms: 8000 })
 * progress.end()
 */
export function createProgress(stream: ProgressStream): Progress {
  const { update, end } = linesOn(stream)
  return {
    end,
    update: (step) =>
      update({
        part: step.phase,
        partNumber: step.phaseNumber,
        // Of the rules, since they can be counted: what each takes, nobody knows before.
        share: shareOf(step.tried, step.rules),
        text: lineOf(step),
        ms: step.ms,
      }),
  }
}

/**
 * The same of a proof: how many faults were tried.
 *
 * @example
 * const progress = createProofProgress(process.stderr)
 * progress.update({ done: 12, of: 300, escaped: 1, ms: 8000 })
 * progress.end()
 */
export function createProofProgress(stream: ProgressStream): Progress<ProofStep> {
  const { update, end } = linesOn(stream)
  return {
    end,
    update: ({ done, of, escaped, ms }) => {
      const isBegun = done > 0
      const tried = `fault ${number(done)} of ${number(of)}, ${number(escaped)} not caught`
      const text = isBegun ? tried : 'first a run without any fault'
      const part = isBegun ? 'faults' : 'none'
      update({ part, partNumber: isBegun ? 2 : 1, share: shareOf(done, of), text, ms })
    },
  }
}

/** One line of progress. */
interface Line {
  /** What it is part of: that a new one begins is told at once. */
  readonly part: string
  readonly partNumber: number
  /** `25 %` */
  readonly share: string
  readonly text: string
  readonly ms: number
}

function linesOn(stream: ProgressStream): Progress<Line> {
  return stream.isTTY ? onTerminal(stream) : inLog(stream)
}

function onTerminal(stream: ProgressStream): Progress<Line> {
  let last: Line | undefined
  return {
    update(line) {
      if (last && line.part === last.part && line.ms - last.ms < EVERY_MS) return
      last = line
      stream.write(CLEAR + `${line.share}  ${line.text}`.slice(0, (stream.columns || 80) - 1))
    },
    end() {
      if (last) stream.write(CLEAR)
      last = undefined
    },
  }
}

function inLog(stream: ProgressStream): Progress<Line> {
  let last: Line | undefined
  return {
    update(line) {
      if (last && line.partNumber <= last.partNumber && line.ms - last.ms < EVERY_MS_IN_LOGS) return
      last = line
      stream.write(`${line.text}, ${duration(line.ms)}\n`)
    },
    end() {},
  }
}

function shareOf(done: number, of: number): string {
  return `${of > 0 ? Math.floor((100 * done) / of) : 0} %`
}

function lineOf({ phase, phaseNumber, phases, tried, rules, requests, findings }: Step): string {
  const parts = [
    `phase ${phaseNumber} of ${phases} (${phase})`,
    `rule ${number(tried)} of ${number(rules)}`,
    count(requests, 'request'),
    count(findings, 'finding'),
  ]
  return parts.join(', ')
}

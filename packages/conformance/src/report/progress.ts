/** Where progress is written, as stderr is. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** How far a run is. */
export interface Step {
  readonly phase: string
  readonly cases: number
  readonly requests: number
  readonly findings: number
  /** Since the start. */
  readonly ms: number
}

/** Tells how far a run is, on one line that is written over and over. */
export interface Progress {
  update(step: Step): void
  /** Takes the line away. */
  end(): void
}

const EVERY_MS = 100
const CLEAR = '\r\u001b[2K'

/**
 * Progress for people: one line on a terminal, at most ten times a second; nothing elsewhere.
 *
 * @example
 * const progress = createProgress(process.stderr)
 * progress.update({ phase: 'examples', cases: 20, requests: 25, findings: 0, ms: 80 })
 * progress.end()
 */
export function createProgress(stream: ProgressStream): Progress {
  if (!stream.isTTY) return { update: () => {}, end: () => {} }
  let last: Step | undefined
  return {
    update(step) {
      if (last && step.phase === last.phase && step.ms - last.ms < EVERY_MS) return
      last = step
      stream.write(CLEAR + lineOf(step).slice(0, (stream.columns || 80) - 1))
    },
    end() {
      if (last) stream.write(CLEAR)
      last = undefined
    },
  }
}

function lineOf({ phase, cases, requests, findings, ms }: Step): string {
  const rate = ms > 0 ? `${Math.round((1000 * requests) / ms)} requests/s` : ''
  return [phase, `${cases} cases`, rate, `${findings} findings`].filter(Boolean).join('  ')
}

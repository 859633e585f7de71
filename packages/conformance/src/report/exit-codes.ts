import { isFailing, type ReportOptions } from './options.ts'
import type { Result } from './result.ts'

/** Exit code of a run that could not start or complete. */
export const COULD_NOT_RUN = 2

/** Signals that interrupt a run, with the exit codes of a shell: 128 plus the signal number. */
export const INTERRUPTIONS = {
  SIGINT: { reason: 'Ctrl-C', exitCode: 130 },
  SIGTERM: { reason: 'SIGTERM', exitCode: 143 },
} as const

/**
 * The exit code: 0 without findings that fail the run, 1 with one, 130 after Ctrl-C, 143 after SIGTERM, and 2 if
 * something else ended the run before it had one.
 */
export function exitCodeOf(result: Result, options: ReportOptions): number {
  const found = result.findings.some((it) => isFailing(it, options)) ? 1 : 0
  if (result.interrupted === undefined) return found
  const code = codeOfInterruption(result.interrupted)
  return code === COULD_NOT_RUN && found ? 1 : code
}

function codeOfInterruption(reason: string): number {
  return Object.values(INTERRUPTIONS).find((it) => it.reason === reason)?.exitCode ?? COULD_NOT_RUN
}

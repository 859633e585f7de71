import type { Progress } from './check-options.ts'
import { PHASES, type Phase } from './rule.ts'

type Totals = Pick<Progress, 'requests' | 'cases' | 'findings'>

/** Reports the progress of a run. */
export interface ProgressReporter {
  enter(phase: Phase): void
  tried(rule: string): void
  end(): void
}

/** Rules can take minutes, so progress is also reported at intervals. */
const EVERY_MS = 1_000

/**
 * Calls the listener after each rule and every second.
 *
 * @param onFault Called once if the listener throws. A timer that throws would end the process without a cleanup.
 */
export function createProgressReporter(
  rules: number,
  counted: () => Totals,
  onProgress: ((progress: Progress) => void) | undefined,
  onFault: (reason: string) => void,
): ProgressReporter {
  let phase: Phase = PHASES[0]
  let done = 0
  let listener = onProgress
  const report = (rule?: string) => {
    const phaseNumber = PHASES.indexOf(phase) + 1
    const progress = { phase, rule, phaseNumber, phases: PHASES.length, tried: done, rules, ...counted() }
    try {
      listener?.(progress)
    } catch (error) {
      listener = undefined
      onFault(`onProgress threw: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const timer = onProgress && setInterval(() => report(), EVERY_MS).unref()
  return {
    enter(next) {
      phase = next
    },
    tried(rule) {
      done++
      report(rule)
    },
    end: () => clearInterval(timer),
  }
}

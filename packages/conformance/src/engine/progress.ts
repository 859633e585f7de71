import type { Progress } from './options.ts'
import { PHASES, type Phase } from './rule.ts'

/** What is counted elsewhere. */
type Totals = Pick<Progress, 'requests' | 'cases' | 'findings'>

/** Tells how far a run is. */
export interface ProgressReporter {
  /** A phase begins. */
  enter(phase: Phase): void
  /** A rule was tried. */
  tried(rule: string): void
  /** Nothing is told from now on. */
  end(): void
}

/** A rule may take minutes, so that it is not only told when one ends. */
const EVERY_MS = 1_000

/**
 * Tells whoever asked to be told, after each rule and every second.
 *
 * @param onFault Told once of a listener that throws, which is told nothing more: thrown by a timer, it would end the
 * process, and leave what the run made.
 */
export function createProgressReporter(
  rules: number,
  counted: () => Totals,
  onProgress: ((progress: Progress) => void) | undefined,
  onFault: (reason: string) => void,
): ProgressReporter {
  let phase: Phase = PHASES[0]
  let tried = 0
  let listener = onProgress
  const tell = (rule?: string) => {
    const phaseNumber = PHASES.indexOf(phase) + 1
    const progress = { phase, rule, phaseNumber, phases: PHASES.length, tried, rules, ...counted() }
    try {
      listener?.(progress)
    } catch (error) {
      listener = undefined
      onFault(`onProgress threw: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const timer = onProgress && setInterval(() => tell(), EVERY_MS).unref()
  return {
    enter(next) {
      phase = next
    },
    tried(rule) {
      tried++
      tell(rule)
    },
    end: () => clearInterval(timer),
  }
}

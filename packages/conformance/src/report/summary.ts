import type { Finding, Result } from '../engine/result.ts'
import { judgedRules } from './rule-results.ts'
import { count, number, oneLine } from './text.ts'

/** The numbers of a run. */
export interface Counts {
  readonly failures: number
  readonly deviations: number
  readonly baselined: number
  readonly passed: number
  readonly failed: number
  readonly notAssessed: number
  /** Cases that could not be judged. */
  readonly inconclusive: number
}

/** The numbers of a run. */
export function countsOf(result: Result): Counts {
  const rules = Map.groupBy(judgedRules(result), ({ status }) => status)
  const kinds = Map.groupBy(result.findings, ({ kind }) => kind)
  return {
    failures: kinds.get('failure')?.length ?? 0,
    deviations: kinds.get('deviation')?.length ?? 0,
    baselined: result.baselined.length,
    passed: rules.get('passed')?.length ?? 0,
    failed: rules.get('failed')?.length ?? 0,
    notAssessed: rules.get('not-assessed')?.length ?? 0,
    inconclusive: result.rules.reduce((sum, { inconclusive }) => sum + inconclusive, 0),
  }
}

/** Does this finding make the run fail? A deviation does only where the run is strict. */
export function fails(finding: Finding, { strict }: Pick<Result, 'strict'>): boolean {
  return strict || finding.kind === 'failure'
}

/** How a run ended. */
export type End = 'fine' | 'failed' | 'interrupted'

/** How a run ended, whatever else: one that was interrupted is no success, and has not seen all that failed. */
export function endOf(result: Result): End {
  if (result.interrupted !== undefined) return 'interrupted'
  return result.findings.some((finding) => fails(finding, result)) ? 'failed' : 'fine'
}

/** Exit code of a run that could not be made, or not to its end. */
export const COULD_NOT_RUN = 2

/** What signals of a process interrupt a run for, and the exit codes of a shell: 128 and the number of the signal. */
export const INTERRUPTIONS = {
  SIGINT: { reason: 'Ctrl-C', exitCode: 130 },
  SIGTERM: { reason: 'SIGTERM', exitCode: 143 },
} as const

/**
 * What a process exits with: 0 no findings that count, 1 failures, or deviations where the run is strict, 130 after
 * Ctrl-C, 143 after SIGTERM, and 2 where something else ended the run and nothing was found until then. That a run could
 * not be made (2) is for the caller to say, as there is no result then.
 *
 * @example
 * process.exitCode = exitCodeOf(result)
 */
export function exitCodeOf(result: Result): number {
  const { interrupted, findings } = result
  const found = findings.some((finding) => fails(finding, result)) ? 1 : 0
  if (interrupted === undefined) return found
  const code = codeOfInterruption(interrupted)
  return code === COULD_NOT_RUN && found ? 1 : code
}

/** What a process exits with where it was interrupted, and nothing else counts. */
export function codeOfInterruption(reason: string): number {
  const signal = Object.values(INTERRUPTIONS).find((it) => it.reason === reason)
  return signal?.exitCode ?? COULD_NOT_RUN
}

/**
 * A sentence on the whole run. It claims no more than was assessed.
 *
 * @example
 * summaryOf(result) // 'The sandbox at http://127.0.0.1:4020 breaks the contract in 1 place.'
 */
export function summaryOf(result: Result): string {
  const { failures, deviations, passed, failed, notAssessed } = countsOf(result)
  const assessed = passed + failed
  const identity = whoOf(result)
  const shown = count(deviations, 'deviation', 'deviations')
  const rules = `${number(assessed)} of ${count(assessed + notAssessed, 'rule')}`
  if (result.interrupted !== undefined)
    return `Interrupted: the ${identity} was checked in part, ${rules}, with ${count(failures, 'failure')} and ${shown} so far (${oneLine(result.interrupted)}).`
  const besides = deviations > 0 ? `, and shows ${shown}` : ''
  if (failures > 0) return `The ${identity} breaks the contract in ${count(failures, 'place')}${besides}.`
  const counted = result.strict ? ', which counts in a strict run' : ''
  if (deviations > 0) return `The ${identity} breaks no fact of the contract${besides}${counted}.`
  if (assessed === 0) return `Nothing could be assessed of the ${identity}.`
  const known =
    result.baselined.length > 0 ? ` besides ${count(result.baselined.length, 'known finding')}` : ''
  return `The ${identity} keeps the contract${known}, as far as ${rules} could tell.`
}

function whoOf({ target, url }: Result): string {
  if (target === 'traffic') return `traffic with ${oneLine(url)}`
  return `${target === 'live' ? 'live service' : target} at ${oneLine(url)}`
}

/** How a run ended, as one sign. */
export function signOf(result: Result): string {
  return { fine: '✅', failed: '❌', interrupted: '⏸️' }[endOf(result)]
}

import type { Finding, Result } from '../result.ts'
import { judgedLaws } from './laws.ts'
import { count, number, oneLine } from './text.ts'

/** The numbers of a run. */
export interface Counts {
  readonly failures: number
  readonly discoveries: number
  readonly baselined: number
  readonly held: number
  readonly broken: number
  readonly notAssessed: number
  /** Cases that could not be judged. */
  readonly masked: number
}

/** The numbers of a run. A law whose cases are all masked counts as not assessed. */
export function countsOf(result: Result): Counts {
  const laws = Map.groupBy(judgedLaws(result), ({ status }) => status)
  const kinds = Map.groupBy(result.findings, ({ kind }) => kind)
  return {
    failures: kinds.get('failure')?.length ?? 0,
    discoveries: kinds.get('discovery')?.length ?? 0,
    baselined: result.baselined.length,
    held: laws.get('held')?.length ?? 0,
    broken: laws.get('broken')?.length ?? 0,
    notAssessed: laws.get('not-assessed')?.length ?? 0,
    masked: result.laws.reduce((sum, { masked }) => sum + masked, 0),
  }
}

/** Does this finding make the run fail? A discovery does only where the run is strict. */
export function fails(finding: Finding, { strict }: Pick<Result, 'strict'>): boolean {
  return strict || finding.kind === 'failure'
}

/**
 * What a process exits with: 0 no findings that count, 1 failures, or discoveries where the run is strict, 130 where it
 * was interrupted. That a run could not be made (2) is for the caller to say, as there is no result then.
 *
 * @example
 * process.exitCode = exitCodeOf(result)
 */
export function exitCodeOf(result: Result): 0 | 1 | 130 {
  if (result.interrupted) return 130
  return result.findings.some((finding) => fails(finding, result)) ? 1 : 0
}

/**
 * A sentence on the whole run. It claims no more than was assessed.
 *
 * @example
 * summaryOf(result) // 'The sandbox at http://127.0.0.1:4020 breaks the contract in 1 place.'
 */
export function summaryOf(result: Result): string {
  const { failures, discoveries, held, broken, notAssessed } = countsOf(result)
  const assessed = held + broken
  const who = `${result.target === 'live' ? 'live service' : result.target} at ${oneLine(result.url)}`
  const shown = count(discoveries, 'discovery', 'discoveries')
  const laws = `${number(assessed)} of ${count(assessed + notAssessed, 'law')}`
  if (result.interrupted)
    return `Interrupted: the ${who} was checked in part, ${laws}, with ${count(failures, 'failure')} and ${shown} so far.`
  const besides = discoveries > 0 ? `, and shows ${shown}` : ''
  if (failures > 0) return `The ${who} breaks the contract in ${count(failures, 'place')}${besides}.`
  const counted = result.strict ? ', which counts in a strict run' : ''
  if (discoveries > 0) return `The ${who} breaks no fact of the contract${besides}${counted}.`
  if (assessed === 0) return `Nothing could be assessed of the ${who}.`
  const known =
    result.baselined.length > 0 ? ` besides ${count(result.baselined.length, 'known finding')}` : ''
  return `The ${who} keeps the contract${known}, as far as ${laws} could tell.`
}

/** How a run ended, as one sign. */
export function signOf(result: Result): string {
  return { 0: '✅', 1: '❌', 130: '⏸️' }[exitCodeOf(result)]
}

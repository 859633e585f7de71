import { applyBaseline, type BaselineEntry, readBaseline, writeBaseline } from '../report/baseline.ts'
import { percent, sharesOf } from '../report/coverage.ts'
import { COULD_NOT_RUN, exitCodeOf } from '../report/exit-codes.ts'
import type { ReportOptions } from '../report/options.ts'
import type { Result } from '../report/result.ts'
import { renderTerminal } from '../report/terminal.ts'
import { visible } from '../report/text.ts'
import type { Flags } from './command.ts'
import { refuse } from './errors.ts'
import { readText, requireWritable, writeText } from './files.ts'
import { log, styleOfOutput } from './process.ts'
import { type ReportFile, readReports, writeReports } from './reports.ts'

/** What to do with a result. It is validated before the run, which may take long. */
export interface Outcome {
  readonly reports: readonly ReportFile[]
  readonly entries: readonly BaselineEntry[]
  /** The baseline to write. */
  readonly writing: { readonly file: string; readonly until: string } | undefined
}

/**
 * @throws {UsageError} if two options contradict each other.
 * @throws {FileError} if a file cannot be read or written.
 * @throws {BaselineError} if the baseline is invalid.
 */
export function readOutcome({ baseline, report = [], writeBaseline: file, until }: Flags): Outcome {
  return {
    reports: readReports(report),
    entries: baseline === undefined ? [] : readBaseline(readText(baseline, '--baseline'), baseline),
    writing: writingOf(file, until),
  }
}

function writingOf(file: string | undefined, until: string | undefined): Outcome['writing'] {
  if (file === undefined && until === undefined) return undefined
  if (file === undefined)
    return refuse('--until does nothing without --write-baseline; give both, or neither')
  if (until === undefined) return refuse('--write-baseline needs --until, such as 2027-01-31')
  writeBaseline([], until)
  requireWritable(file, '--write-baseline')
  return { file, until }
}

interface Conclusion {
  readonly flags: Flags
  readonly outcome: Outcome
  readonly options: ReportOptions
  readonly notes?: readonly string[]
}

/**
 * Prints a result, writes its files and returns the exit code. It prints first, so that nothing is lost if a file
 * cannot be written.
 *
 * @throws {FileError} if a file cannot be written; the others are.
 */
export function conclude(found: Result, { flags, outcome, options, notes = [] }: Conclusion): number {
  const today = new Date().toISOString().slice(0, 10)
  const { result, unused, expired } = applyBaseline(found, outcome.entries, today)
  const html = outcome.reports.find(({ format }) => format === 'html')?.file
  const { json, verbose = false, only, operation } = flags
  process.stdout.write(
    json
      ? `${visible(JSON.stringify(result))}\n`
      : renderTerminal(result, { ...styleOfOutput(), ...options, verbose, html }),
  )
  const { code, why, isBaseline } = exitOf(result, flags, options)
  const isWhole = result.target !== 'traffic' && result.interrupted === undefined && !only && !operation
  const known = [...expired.map(expiredNote), ...(isWhole ? unused.map(unusedNote) : [])]
  for (const note of [...notes, ...known, ...leftoverNotes(result), ...why]) log(note)
  try {
    writeReports(outcome.reports, result, options)
  } finally {
    if (isBaseline && outcome.writing) {
      const { file, until } = outcome.writing
      writeText(file, writeBaseline([...result.findings, ...result.baselined], until), '--write-baseline')
    }
  }
  return code
}

const unusedNote = ({ id }: BaselineEntry) =>
  `The baseline accepts ${id}, which did not show: remove the entry if it is fixed.`
const expiredNote = ({ id, until }: BaselineEntry) =>
  `The baseline accepted ${id} until ${until}: fix it, or set another day.`

/** A sandbox may keep many records of payments, so only the first ones are listed. */
function leftoverNotes({ leftovers, target }: Result): string[] {
  if (target === 'live') return leftovers.map((path) => `Could not be removed, remove it yourself: ${path}`)
  const more = leftovers.length > 3 ? `, and ${leftovers.length - 3} more (--json lists them)` : ''
  return leftovers.length === 0 ? [] : [`Not removed: ${leftovers.slice(0, 3).join(', ')}${more}.`]
}

interface Exit {
  readonly code: number
  readonly why: readonly string[]
  /** Whether to write the findings as a baseline. */
  readonly isBaseline: boolean
}

/**
 * The exit code. Findings written to a baseline do not count. An interrupted run, or one without a success, writes
 * no baseline. Insufficient coverage always counts.
 */
function exitOf(result: Result, { writeBaseline: file, minCoverage }: Flags, options: ReportOptions): Exit {
  const isBaseline = file !== undefined
  const code = exitCodeOf(result, options)
  if (result.interrupted !== undefined) return { code, why: [], isBaseline: false }
  const nothing = nothingJudged(result, isBaseline)
  if (nothing !== undefined) {
    const unwritten = isBaseline ? ['No baseline was written.'] : []
    return { code: COULD_NOT_RUN, why: [nothing, ...unwritten], isBaseline: false }
  }
  const why = shortfallsOf(result, minCoverage)
  return { code: why.length > 0 ? 1 : isBaseline ? 0 : code, why, isBaseline }
}

function shortfallsOf(result: Result, gate: Flags['minCoverage']): string[] {
  return sharesOf(result).flatMap((share) => {
    const wanted = gate?.get(share.gate)
    const seen = percent(share)
    if (wanted === undefined || seen === undefined || seen >= wanted) return []
    return [`Coverage of ${share.name} is ${seen} %, and must be ${wanted} %.`]
  })
}

/**
 * Why a run says nothing about the service: no operation succeeded, as with a wrong base path, or no rule had a case. A
 * failure is a valid result unless a baseline is written. Recorded traffic may contain only refusals.
 */
function nothingJudged(
  { target, coverage, rules, findings, baselined }: Result,
  isBaseline: boolean,
): string | undefined {
  const isFound = !isBaseline && [...findings, ...baselined].some(({ kind }) => kind === 'failure')
  if (isFound || (target === 'traffic' && !isBaseline)) return undefined
  const attempted = coverage.operations.filter((it) => it.requests > 0 && it.operation !== 'signIn')
  if (target !== 'traffic' && attempted.length > 0 && attempted.every(({ successes }) => successes === 0))
    return 'No operation succeeded: is the base path of --target right?'
  const isNothing = rules.every(({ status }) => status === 'not-assessed' || status === 'inconclusive')
  return isNothing ? 'Nothing could be assessed; --verbose says why.' : undefined
}

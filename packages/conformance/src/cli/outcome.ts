import {
  applyBaseline,
  type BaselineEntry,
  readBaseline,
  writeBaseline,
} from '../report/baseline.ts'
import { RENDERERS } from '../report/formats.ts'
import type { Result } from '../report/result.ts'
import {
  COULD_NOT_RUN,
  exitCodeOf,
  type ReportOptions,
  sharesOf,
  untriedIn,
} from '../report/summary.ts'
import { renderTerminal } from '../report/terminal.ts'
import { visible } from '../report/text.ts'
import type { Flags } from './command.ts'
import { log, readText, refuse, requireWritable, styleOfOutput, writeText } from './process.ts'

/**
 * Validates what to do with a result before the run, which may take long. Returns a function that
 * prints a result, writes its files and returns the exit code. It prints first, so that nothing is
 * lost if a file cannot be written; then it throws a CommandError, and the other files are written.
 *
 * @throws {CommandError} if two options contradict each other, or a file cannot be read or written
 * @throws {BaselineError} if the baseline is invalid
 */
export function prepareOutcome(flags: Flags): (found: Result, options: ReportOptions) => number {
  const { baseline, json, verbose = false, only, operation } = flags
  const reports = (flags.report ?? []).map(reportOf)
  const entries =
    baseline === undefined ? [] : readBaseline(readText(baseline, '--baseline'), baseline)
  const writing = writingOf(flags)
  const html = reports.find(({ format }) => format === 'html')?.file
  return (found, options) => {
    const { result, unused, expired } = applyBaseline(
      found,
      entries,
      new Date().toISOString().slice(0, 10),
    )
    process.stdout.write(
      json
        ? `${visible(JSON.stringify(result))}\n`
        : renderTerminal(result, { ...styleOfOutput(), ...options, verbose, html }),
    )
    const isWhole =
      result.target !== 'traffic' && result.interrupted === undefined && !only && !operation
    const known = [...expired.map(expiredNote), ...(isWhole ? unused.map(unusedNote) : [])]
    const { code, why, isBaseline } = exitOf(result, flags, options)
    for (const note of [...known, ...leftoverNotes(result), ...untriedIn(result), ...why]) log(note)
    const files = reports.map(
      ({ format, file }) =>
        () =>
          writeText(file, RENDERERS[format]?.(result, options) ?? '', '--report'),
    )
    const kept = [...result.findings, ...result.baselined]
    if (isBaseline && writing)
      files.push(() =>
        writeText(writing.file, writeBaseline(kept, writing.until), '--write-baseline'),
      )
    doAll(files)
    return code
  }
}

/** Parses an item of `--report`, such as `junit=FILE`. */
function reportOf(item: string): { readonly format: string; readonly file: string } {
  const [, format = '', file] = /^([a-z]+)=(.+)$/.exec(item) ?? []
  if (!Object.hasOwn(RENDERERS, format) || file === undefined)
    return refuse(
      `--report must be FORMAT=FILE with one of ${Object.keys(RENDERERS).join(', ')}, got "${item}"`,
    )
  requireWritable(file, '--report')
  return { format, file }
}

/** The baseline to write. */
function writingOf({ writeBaseline: file, until }: Flags) {
  if (file === undefined && until === undefined) return undefined
  if (file === undefined)
    return refuse('--until does nothing without --write-baseline; give both, or neither')
  if (until === undefined) return refuse('--write-baseline needs --until, such as 2027-01-31')
  writeBaseline([], until)
  requireWritable(file, '--write-baseline')
  return { file, until }
}

/** Does the rest even if something throws. */
function doAll([first, ...rest]: readonly (() => void)[]): void {
  try {
    first?.()
  } finally {
    if (rest.length > 0) doAll(rest)
  }
}

const unusedNote = ({ id }: BaselineEntry) =>
  `The baseline accepts ${id}, which did not show: remove the entry if it is fixed.`
const expiredNote = ({ id, until }: BaselineEntry) =>
  `The baseline accepted ${id} until ${until}: fix it, or set another day.`

/** A sandbox may keep many records of payments, so only the first ones are listed. */
function leftoverNotes({ leftovers, target }: Result): string[] {
  if (target === 'live')
    return leftovers.map((path) => `Could not be removed, remove it yourself: ${path}`)
  const more = leftovers.length > 3 ? `, and ${leftovers.length - 3} more (--json lists them)` : ''
  return leftovers.length === 0 ? [] : [`Not removed: ${leftovers.slice(0, 3).join(', ')}${more}.`]
}

/**
 * The exit code, and whether to write the findings as a baseline. Findings written to a baseline do
 * not count. An interrupted run, or one without a success, writes no baseline. Insufficient
 * coverage always counts.
 */
function exitOf(
  result: Result,
  { writeBaseline: file, minCoverage }: Flags,
  options: ReportOptions,
) {
  const isBaseline = file !== undefined
  const code = exitCodeOf(result, options)
  if (result.interrupted !== undefined) return { code, why: [], isBaseline: false }
  const nothing = nothingJudged(result, isBaseline)
  if (nothing !== undefined) {
    const unwritten = isBaseline ? ['No baseline was written.'] : []
    return { code: COULD_NOT_RUN, why: [nothing, ...unwritten], isBaseline: false }
  }
  const why = sharesOf(result).flatMap(({ gate, name, percent = 100 }) => {
    const wanted = minCoverage?.get(gate) ?? 0
    return percent < wanted ? [`Coverage of ${name} is ${percent} %, and must be ${wanted} %.`] : []
  })
  return { code: why.length > 0 ? 1 : isBaseline ? 0 : code, why, isBaseline }
}

/**
 * Why a run says nothing about the service: no operation succeeded, as with a wrong base path, or
 * no rule had a case. A failure is a valid result unless a baseline is written. Recorded traffic
 * may contain only refusals.
 */
function nothingJudged(result: Result, isBaseline: boolean): string | undefined {
  const { target, coverage, rules, findings, baselined } = result
  const isFound = !isBaseline && [...findings, ...baselined].some(({ kind }) => kind === 'failure')
  if (isFound || (target === 'traffic' && !isBaseline)) return undefined
  const attempted = coverage.operations.filter((it) => it.requests > 0 && it.operation !== 'signIn')
  if (
    target !== 'traffic' &&
    attempted.length > 0 &&
    attempted.every(({ successes }) => successes === 0)
  )
    return 'No operation succeeded: is the base path of --target right?'
  const isNothing = rules.every(
    ({ status }) => status === 'not-assessed' || status === 'inconclusive',
  )
  return isNothing ? 'Nothing could be assessed; --verbose says why.' : undefined
}

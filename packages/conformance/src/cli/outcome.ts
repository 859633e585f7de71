import {
  applyBaseline,
  type BaselineEntry,
  readBaseline,
  writeBaseline,
} from '../report/baseline.ts'
import { RENDERERS } from '../report/formats.ts'
import type { BaselinedFinding, Result } from '../report/result.ts'
import {
  COULD_NOT_RUN,
  chooseExitCode,
  isNothingAssessed,
  listShares,
  listUntried,
  type ReportOptions,
} from '../report/summary.ts'
import { renderTerminal } from '../report/terminal.ts'
import { count, visible } from '../report/text.ts'
import { shellWord } from './options.ts'
import { log, readOutputStyle, readText, refuse, requireWritable, writeText } from './process.ts'
import type { Flags } from './table.ts'

/**
 * Validates the options about a result before the run, which may take long. Returns the function for the
 * end of the run: it prints the result, writes the reports and the baseline, and returns the exit code.
 *
 * @throws {CommandError} if two options contradict each other, or a file cannot be read or written
 * @throws {BaselineError} if the baseline is invalid
 */
export function prepareOutcome(
  flags: Flags,
): (wholeResult: Result, options: ReportOptions) => number {
  const reports = (flags.report ?? []).map(parseReport)
  const entries = readBaselineEntries(flags)
  const newBaseline = validateNewBaseline(flags)
  const html = reports.find(({ format }) => format === 'html')?.file

  return (wholeResult, options) => {
    // `unused` are the entries whose finding is gone, and `expired` those whose day is over.
    const today = new Date().toISOString().slice(0, 10)
    const { result, unused, expired } = applyBaseline(wholeResult, entries, today)
    // Printed first, so that nothing is lost if a file cannot be written.
    process.stdout.write(renderOutput(result, flags, { ...options, html }))

    for (const entry of expired) log(expiredNote(entry))
    for (const finding of result.baselined) logChange(finding)
    // Only a whole run shows that an accepted finding is gone.
    const mayBeGone = isWholeRun(result, flags) ? unused : []
    for (const entry of mayBeGone) log(unusedNote(entry))

    const exit = decideExit(result, flags, options)
    const notes = [...leftoverNotes(result), ...formNotes(result), ...listUntried(result)]
    for (const note of [...notes, ...exit.why]) log(note)

    // If one file cannot be written, the others are, and then it throws.
    const writes = reports.map((report) => () => writeReport(report, result, options))
    if (exit.isBaselineWritten && newBaseline) writes.push(() => writeFindings(newBaseline, result))
    runAll(writes)
    return exit.code
  }
}

/** Reads the findings that `--baseline` accepts; none without it. */
function readBaselineEntries({ baseline: file }: Flags): readonly BaselineEntry[] {
  return file === undefined ? [] : readBaseline(readText(file, '--baseline'), file)
}

/** Renders a result for stdout: as JSON with `--json`, else as text for a terminal. */
function renderOutput(
  result: Result,
  { json, verbose }: Flags,
  options: ReportOptions & { readonly html: string | undefined },
): string {
  if (json) return `${visible(JSON.stringify(result))}\n`
  return renderTerminal(result, { ...readOutputStyle(), ...options, verbose: verbose === true })
}

/**
 * Writes a note that lists how the service writes things in its own way, as options: `--set list/next=/cursor`. With
 * them, the next run need not learn it. Empty if this run learned nothing.
 */
export function formNotes({ form }: Pick<Result, 'form'>): string[] {
  // What the user gave with options is no news.
  const learned = form.filter(({ isGiven }) => !isGiven)
  if (learned.length === 0) return []

  const options = learned.map(describeLearnedOption).join(' ')
  const things = count(learned.length, 'thing')
  return [`The service writes ${things} in its own way. Options that say so: ${options}`]
}

function describeLearnedOption({ name, value }: Result['form'][number]): string {
  if (name === 'signature') return `--signature ${shellWord(value)}`
  return `--set ${shellWord(`${name}=${value}`)}`
}

/** Whether a run went through all operations and rules. */
function isWholeRun({ target, interrupted }: Result, { only, operation }: Flags): boolean {
  const isRun = target !== 'traffic'
  const isPart = only !== undefined || operation !== undefined
  return isRun && interrupted === undefined && !isPart
}

interface ReportFile {
  readonly format: string
  readonly file: string
}

function writeReport({ format, file }: ReportFile, result: Result, options: ReportOptions): void {
  writeText(file, RENDERERS[format]?.(result, options) ?? '', '--report')
}

interface NewBaseline {
  readonly file: string
  readonly until: string
}

/** Writes a baseline with the findings of a run, and those that the old baseline accepts. */
function writeFindings({ file, until }: NewBaseline, { findings, baselined }: Result): void {
  writeText(file, writeBaseline([...findings, ...baselined], until), '--write-baseline')
}

/**
 * Parses an item of `--report`, such as `junit=FILE`, into the format and the file.
 *
 * @throws {CommandError} if the format is unknown, or the file cannot be written
 */
function parseReport(item: string): ReportFile {
  const [, format = '', file] = /^([a-z]+)=(.+)$/.exec(item) ?? []
  if (!Object.hasOwn(RENDERERS, format) || file === undefined)
    return refuse(
      `--report must be FORMAT=FILE with one of ${Object.keys(RENDERERS).join(', ')}, got "${item}"`,
    )
  requireWritable(file, '--report')
  return { format, file }
}

/**
 * Validates `--write-baseline` and `--until`, which need each other. Returns the file to write; undefined
 * if neither was given.
 *
 * @throws {CommandError} if one of them is missing, or the file cannot be written
 */
function validateNewBaseline({ writeBaseline: file, until }: Flags): NewBaseline | undefined {
  if (file === undefined && until === undefined) return undefined
  if (file === undefined)
    return refuse('--until does nothing without --write-baseline; give both, or neither')
  if (until === undefined) return refuse('--write-baseline needs --until, such as 2027-01-31')
  // Throws if `until` is no day, before the run takes its time.
  writeBaseline([], until)
  requireWritable(file, '--write-baseline')
  return { file, until }
}

/** Runs all functions, even if some throw, and then throws the last error. */
function runAll(functions: readonly (() => void)[]): void {
  const errors: unknown[] = []
  for (const run of functions) {
    try {
      run()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors.at(-1)
}

const unusedNote = ({ id }: BaselineEntry) =>
  `The baseline accepts ${id}, which did not show: remove the entry if it is fixed.`
const expiredNote = ({ id, until }: BaselineEntry) =>
  `The baseline accepted ${id} until ${until}: fix it, or set another day.`

/**
 * Logs that an accepted finding says something else than when it was accepted, which is its `messageBefore`: it may
 * be another bug. Logs nothing if it says the same, and so has no `messageBefore`.
 */
function logChange({ id, message, messageBefore }: BaselinedFinding): void {
  const hasChanged = messageBefore !== undefined
  if (hasChanged)
    log(
      `The baseline accepts ${id}, which has changed: now "${message}", before "${messageBefore}".`,
    )
}

/**
 * Writes notes about the records that a run could not remove: one for each on a live service, else one for
 * all, since a sandbox may keep many payments.
 */
function leftoverNotes({ leftovers, target }: Result): string[] {
  if (target === 'live')
    return leftovers.map((path) => `Left on the service, which the run cannot remove: ${path}`)
  if (leftovers.length === 0) return []

  const listedPaths = leftovers.slice(0, MAX_LEFTOVERS).join(', ')
  const hiddenCount = leftovers.length - MAX_LEFTOVERS
  if (hiddenCount <= 0) return [`Not removed: ${listedPaths}.`]
  return [`Not removed: ${listedPaths}, and ${hiddenCount} more (--json lists them).`]
}

const MAX_LEFTOVERS = 3

interface Exit {
  readonly code: number
  /** Why the code is not that of the findings. */
  readonly why: readonly string[]
  readonly isBaselineWritten: boolean
}

/** Decides the exit code, and whether `--write-baseline` writes the findings. The first reason that applies decides. */
function decideExit(
  result: Result,
  { writeBaseline: newBaselineFile, minCoverage }: Flags,
  options: ReportOptions,
): Exit {
  const codeOfFindings = chooseExitCode(result, options)
  const isInterrupted = result.interrupted !== undefined
  if (isInterrupted) return { code: codeOfFindings, why: [], isBaselineWritten: false }

  const isBaselineWanted = newBaselineFile !== undefined
  const emptyReason = describeEmptyRun(result, isBaselineWanted)
  if (emptyReason !== undefined) {
    const why = isBaselineWanted ? [emptyReason, 'No baseline was written.'] : [emptyReason]
    return { code: COULD_NOT_RUN, why, isBaselineWritten: false }
  }

  const missingCoverage = describeMissingCoverage(result, minCoverage)
  if (missingCoverage.length > 0)
    return { code: 1, why: missingCoverage, isBaselineWritten: isBaselineWanted }

  // Findings that are written to a baseline do not count.
  if (isBaselineWanted) return { code: 0, why: [], isBaselineWritten: true }
  return { code: codeOfFindings, why: [], isBaselineWritten: false }
}

/**
 * Writes a sentence for each kind of coverage, such as that of operations, that is lower than
 * `--min-coverage` demands. Empty if all are high enough.
 *
 * @param minCoverage The demanded percentages, by the kind: `operations` is 100.
 */
function describeMissingCoverage(result: Result, minCoverage: Flags['minCoverage']): string[] {
  const missing: string[] = []
  for (const { gate, name, percent } of listShares(result)) {
    // `gate` is the kind as the option names it, and `name` is for people. One with nothing to cover has no percentage.
    if (percent === undefined) continue

    const minPercent = minCoverage?.get(gate) ?? 0
    if (percent < minPercent)
      missing.push(`Coverage of ${name} is ${percent} %, and must be ${minPercent} %.`)
  }
  return missing
}

/** Says why a run shows nothing of the service, such as after a wrong base path. Undefined if it shows something. */
function describeEmptyRun(result: Result, isBaselineWanted: boolean): string | undefined {
  // A failure shows something. But a baseline needs more: with a wrong base path, it would accept failures alone.
  if (hasFailure(result) && !isBaselineWanted) return undefined

  // Recorded traffic may have only refusals: it needs no success.
  if (result.target === 'traffic') return isNothingAssessed(result) ? NO_TRAFFIC_JUDGED : undefined

  if (hasNoSuccess(result)) return 'No operation succeeded: is the base path of --target right?'
  return isNothingAssessed(result) ? NOTHING_ASSESSED : undefined
}

const NOTHING_ASSESSED = 'Nothing could be assessed; --verbose says why.'

const NO_TRAFFIC_JUDGED =
  'Nothing could be assessed, because there was no response that a rule can judge. Does the service respond, and is its URL right?'

function hasFailure({ findings, baselined }: Result): boolean {
  return [...findings, ...baselined].some(({ kind }) => kind === 'failure')
}

/** Whether requests were sent after the sign-in, and none of them succeeded. */
function hasNoSuccess({ coverage }: Result): boolean {
  const attempted = coverage.operations.filter(
    ({ operation, requests }) => requests > 0 && operation !== 'signIn',
  )
  return attempted.length > 0 && attempted.every(({ successes }) => successes === 0)
}

import type { Result } from '../engine/result.ts'
import { readContract } from '../model/contract.ts'
import { defaultContract } from '../model/contract-source.ts'
import { visible } from '../model/visible.ts'
import { applyBaseline, type BaselineEntry, readBaseline, writeBaseline } from '../report/baseline.ts'
import { GATES, percent, sharesOf } from '../report/coverage.ts'
import { COULD_NOT_RUN, exitCodeOf } from '../report/exit-codes.ts'
import { FAIL_ON, type FailOn, type ReportOptions } from '../report/options.ts'
import { renderTerminal } from '../report/terminal.ts'
import { refuse } from './errors.ts'
import { readText, requireWritable, writeText } from './files.ts'
import type { Flags } from './flags.ts'
import { reportOptionsOf } from './options.ts'
import { log, styleOfOutput } from './process.ts'
import { type ReportFile, readReports, writeReports } from './reports.ts'
import type { Spec } from './spec.ts'

/** Flags about the outcome. They are validated before the run, which may take long. */
export interface OutcomeFlags {
  readonly failOn: FailOn
  readonly reports: readonly ReportFile[]
  /** Required percentages by kind of coverage. */
  readonly gate: ReadonlyMap<string, number>
  readonly entries: readonly BaselineEntry[]
  /** The baseline to write. */
  readonly writing: { readonly file: string; readonly until: string } | undefined
}

/**
 * @throws {UsageError} if a flag is invalid, or two contradict each other.
 * @throws {FileError} if a file cannot be read or written.
 * @throws {BaselineError} if the baseline is invalid.
 */
export function readOutcome(flags: Flags): OutcomeFlags {
  const baseline = flags.text('baseline')
  return {
    failOn: failOnOf(flags),
    reports: readReports((flags.value('report') ?? []) as readonly string[]),
    gate: gateOf((flags.value('min-coverage') ?? []) as readonly string[]),
    entries: baseline === undefined ? [] : readBaseline(readText(baseline, '--baseline'), baseline),
    writing: baselineFileOf(flags.text('write-baseline'), flags.text('until')),
  }
}

function failOnOf(flags: Flags): FailOn {
  const isStrict = flags.has('strict')
  const given = flags.text('fail-on') ?? (isStrict ? 'deviation' : 'failure')
  const failOn = FAIL_ON.find((it) => it === given)
  if (failOn === undefined) return refuse(`--fail-on must be ${FAIL_ON.join(', ')}, got "${given}"`)
  if (isStrict && failOn !== 'deviation')
    refuse(`--strict contradicts --fail-on ${failOn}: it means --fail-on deviation; give one of them`)
  return failOn
}

/** Parses `80%` for all kinds, or `operations=100%,rows=60%`. */
function gateOf(items: readonly string[]): ReadonlyMap<string, number> {
  const gate = new Map<string, number>()
  for (const item of items) {
    const [, name, digits = ''] = /^(?:([a-z]+)=)?(\d{1,3})%?$/.exec(item) ?? []
    if (digits === '' || Number(digits) > 100 || (name !== undefined && !GATES.includes(name)))
      refuse(`--min-coverage must be like 80% or operations=100%,rows=60%, got "${item}"`)
    for (const it of name === undefined ? GATES : [name]) gate.set(it, Number(digits))
  }
  return gate
}

function baselineFileOf(file: string | undefined, until: string | undefined): OutcomeFlags['writing'] {
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
  readonly spec: Spec
  readonly outcome: OutcomeFlags
  /** Whether the run covers only some rules or operations. */
  readonly isPart: boolean
  readonly notes?: readonly string[]
}

/**
 * Prints a result, writes its files and returns the exit code. It prints first, so that nothing is lost if a file
 * cannot be written.
 *
 * @throws {FileError} if a file cannot be written; the others are.
 */
export async function conclude(
  found: Result,
  { flags, spec, outcome, isPart, notes = [] }: Conclusion,
): Promise<number> {
  const { result, unused, expired } = applyBaseline(
    found,
    outcome.entries,
    new Date().toISOString().slice(0, 10),
  )
  const options = reportOptionsOf(flags, spec, outcome.failOn)
  const html = outcome.reports.find(({ format }) => format === 'html')?.file
  const isVerbose = flags.has('verbose')
  process.stdout.write(
    flags.has('json')
      ? `${visible(JSON.stringify(result))}\n`
      : renderTerminal(result, { ...styleOfOutput(), ...options, verbose: isVerbose, html }),
  )
  const { code, why, isBaseline } = await exitOf(result, { spec, outcome, options })
  const isWhole = result.target !== 'traffic' && result.interrupted === undefined && !isPart
  const known = [...expired.map(expiredNote), ...(isWhole ? unused.map(unusedNote) : [])]
  for (const note of [...notes, ...known, ...leftoverNotes(result), ...why]) log(note)
  try {
    writeReports(outcome.reports, result, options)
  } finally {
    const { file, until } = outcome.writing ?? {}
    if (isBaseline && file !== undefined && until !== undefined)
      writeText(file, writeBaseline([...result.findings, ...result.baselined], until), '--write-baseline')
  }
  return code
}

const unusedNote = ({ id }: BaselineEntry) =>
  `The baseline accepts ${id}, which did not show: remove the entry if it is fixed.`
const expiredNote = ({ id, until }: BaselineEntry) =>
  `The baseline accepted ${id} until ${until}: fix it, or set another day.`

/** A sandbox may keep many records of payments, so only the first ones are listed. */
function leftoverNotes({ leftovers = [], target }: Result): string[] {
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
async function exitOf(
  result: Result,
  { spec, outcome, options }: { spec: Spec; outcome: OutcomeFlags; options: ReportOptions },
): Promise<Exit> {
  const isBaseline = outcome.writing !== undefined
  const code = exitCodeOf(result, options)
  if (result.interrupted !== undefined) return { code, why: [], isBaseline: false }
  const nothing = await nothingJudgedReason(result, spec.contract, isBaseline)
  if (nothing !== undefined) {
    const unwritten = isBaseline ? ['No baseline was written.'] : []
    return { code: COULD_NOT_RUN, why: [nothing, ...unwritten], isBaseline: false }
  }
  const why = shortfallsOf(result, outcome.gate)
  return { code: why.length > 0 ? 1 : isBaseline ? 0 : code, why, isBaseline }
}

function shortfallsOf(result: Result, gate: OutcomeFlags['gate']): string[] {
  return sharesOf(result).flatMap((share) => {
    const wanted = gate.get(share.gate)
    const seen = percent(share)
    if (wanted === undefined || seen === undefined || seen >= wanted) return []
    return [`Coverage of ${share.name} is ${seen} %, and must be ${wanted} %.`]
  })
}

/**
 * Why a run says nothing about the service: no operation succeeded, as with a wrong base path, or no rule was
 * assessed. A failure is a valid result unless a baseline is written. Recorded traffic may contain only refusals.
 */
async function nothingJudgedReason(
  { target, coverage, rules, findings, baselined }: Result,
  contract: object | undefined,
  isBaseline: boolean,
): Promise<string | undefined> {
  const isFound = !isBaseline && [...findings, ...baselined].some(({ kind }) => kind === 'failure')
  if (isFound || (target === 'traffic' && !isBaseline)) return undefined
  const { signIn } = readContract(contract ?? (await defaultContract()))
  const attempted = coverage.operations.filter((it) => it.requests > 0 && it.operation !== signIn?.id)
  if (target !== 'traffic' && attempted.length > 0 && attempted.every(({ successes }) => successes === 0))
    return 'No operation succeeded: is the base path of --target right?'
  const isNothing = rules.every(({ status }) => status === 'not-assessed')
  return isNothing ? 'Nothing could be assessed; --verbose says why.' : undefined
}

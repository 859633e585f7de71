import { createProgress } from '../report/progress.ts'
import { COULD_NOT_RUN, exitCodeOf } from '../report/summary.ts'
import type { Result } from '../result.ts'
import { check } from '../run/check.ts'
import { AT_A_TIME, IN_ALL } from '../run/made.ts'
import type { CheckOptions } from '../run/options.ts'
import { baselined, checkWriting, entriesOf, writeFound } from './baseline.ts'
import { warningsOf } from './credentials.ts'
import type { Flags } from './flags.ts'
import { type Gate, readGate, shortfallsOf } from './gate.ts'
import { interruptible } from './interrupt.ts'
import { nothingSaid } from './nothing-said.ts'
import { optionsOf } from './options.ts'
import { printResult, tell } from './print.ts'
import { readReports, writeReports } from './reports.ts'
import { readSpec, type Spec } from './spec.ts'

/** What is said before anything is made on a live service. */
const LIVE = `A live service: at most ${AT_A_TIME} records are there at a time and ${IN_ALL} are made in all; each is removed. --kind says what else it is.`

/** Checks a service, and says what was found. */
export async function runCheck(flags: Flags): Promise<number> {
  const wanted = readReports(flags.report)
  const gate = readGate(flags['min-coverage'])
  const entries = entriesOf(flags)
  checkWriting(flags)
  const spec = await readSpec(flags.spec)
  const options = optionsOf(flags, process.env, spec.contract)
  for (const warning of warningsOf(flags)) tell(`Warning: ${warning}.`)
  const found = await checked(options)
  const { result, notes } = baselined(found, entries)
  // Of a part of the laws, or an interrupted run, it says nothing that an entry did not show.
  const isWhole = found.interrupted === undefined && !options.only && !options.operations && !options.shard
  conclude(result, { flags, spec, wanted, notes: isWhole ? notes : [] })
  // What was not tried to its end is no baseline.
  if (result.interrupted !== undefined) return exitCodeOf(result)
  if (writeFound(flags, result)) return 0
  const nothing = await nothingSaid(found, options.contract)
  if (nothing === undefined) return codeOf(result, gate)
  tell(nothing)
  return COULD_NOT_RUN
}

/** Runs a check that Ctrl-C ends early, with progress. */
export async function checked(options: CheckOptions): Promise<Result> {
  const progress = createProgress(process.stderr)
  const began = performance.now()
  const { signal, done } = interruptible(() => {
    progress.end()
    tell('Interrupted: removing what the run made. Ctrl-C again ends at once, and leaves it.')
  })
  try {
    return await check({
      ...options,
      signal,
      onReached: () => {
        if (options.target === 'live') tell(LIVE)
      },
      onProgress: (it) => signal.aborted || progress.update({ ...it, ms: performance.now() - began }),
    })
  } finally {
    progress.end()
    done()
  }
}

interface Conclusion {
  readonly flags: Flags
  readonly spec: Spec
  readonly wanted: ReturnType<typeof readReports>
  readonly notes: readonly string[]
}

/** Writes the reports and the result. */
export function conclude(result: Result, { flags, spec, wanted, notes }: Conclusion): void {
  writeReports(wanted, result, spec.locate)
  printResult(result, {
    json: flags.json,
    locate: spec.locate,
    verbose: flags.verbose,
    isPart: flags.only !== undefined || flags.operation !== undefined || flags.shard !== undefined,
    html: wanted.find(({ format }) => format === 'html')?.file,
  })
  for (const note of notes) tell(note)
  // Of a sandbox, what was paid stays, and is nobody's.
  const left = result.target === 'live' ? (result.left ?? []) : []
  for (const path of left) tell(`Could not be removed, remove it yourself: ${path}`)
}

function codeOf(result: Result, gate: Gate): number {
  const shortfalls = shortfallsOf(result, gate)
  for (const shortfall of shortfalls) tell(shortfall)
  return shortfalls.length > 0 ? 1 : exitCodeOf(result)
}

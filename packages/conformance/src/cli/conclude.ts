import type { Result } from '../engine/result.ts'
import { COULD_NOT_RUN, exitCodeOf } from '../report/summary.ts'
import { writeFound } from './baseline.ts'
import type { Flags } from './flags.ts'
import { type Gate, shortfallsOf } from './gate.ts'
import { nothingSaid, nothingWorked } from './nothing-said.ts'
import { printResult, tell } from './print.ts'
import { type Wanted, writeReports } from './reports.ts'
import type { Spec } from './spec.ts'

interface Conclusion {
  readonly flags: Flags
  readonly spec: Spec
  readonly wanted: readonly Wanted[]
  readonly gate: Gate
  readonly notes: readonly string[]
}

/**
 * Prints a result and writes its files; gives the exit code. Printed first: what was found, and what was left on a service,
 * is not lost with a file.
 *
 * @throws {FileError} where a file cannot be written; the others are.
 */
export async function conclude(result: Result, { notes, ...how }: Conclusion): Promise<number> {
  const { flags, spec, wanted } = how
  printResult(result, {
    json: flags.json,
    locate: spec.locate,
    verbose: flags.verbose,
    isPart: flags.only !== undefined || flags.operation !== undefined || flags.shard !== undefined,
    html: wanted.find(({ format }) => format === 'html')?.file,
  })
  // Of a sandbox, what was paid stays, and is nobody's.
  const kept = result.target === 'live' ? (result.left ?? []) : []
  const left = kept.map((path) => `Could not be removed, remove it yourself: ${path}`)
  const { code, why, isBaseline } = await endOf(result, how)
  for (const note of [...notes, ...left, ...why]) tell(note)
  try {
    writeReports(wanted, result, spec.locate)
  } finally {
    if (isBaseline) writeFound(flags, result)
  }
  return code
}

interface End {
  readonly code: number
  readonly why: readonly string[]
  /** Whether what was found is to be written as a baseline. */
  readonly isBaseline: boolean
}

/**
 * What a result comes to. Where it is written down as a baseline, no finding counts any more: of a run in which nothing
 * worked none is written, and too little coverage counts as ever.
 */
async function endOf(result: Result, { flags, spec, gate }: Omit<Conclusion, 'notes'>): Promise<End> {
  const isBaseline = flags['write-baseline'] !== undefined
  // What was not tried to its end is no baseline, and no coverage.
  if (result.interrupted !== undefined) return { code: exitCodeOf(result), why: [], isBaseline: false }
  const nothing = await (isBaseline ? nothingWorked : nothingSaid)(result, spec.contract)
  if (nothing !== undefined) {
    const unwritten = isBaseline ? ['No baseline is written of it.'] : []
    return { code: COULD_NOT_RUN, why: [nothing, ...unwritten], isBaseline: false }
  }
  const why = shortfallsOf(result, gate)
  return { code: why.length > 0 ? 1 : isBaseline ? 0 : exitCodeOf(result), why, isBaseline }
}

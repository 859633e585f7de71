import { applyBaseline, type BaselineEntry, readBaseline, writeBaseline } from '../report/baseline.ts'
import type { Result } from '../result.ts'
import type { Flags } from './flags.ts'
import { writeText } from './reports.ts'
import { readText } from './spec.ts'
import { refuse } from './usage.ts'

/**
 * The entries of `--baseline`.
 *
 * @throws {UsageError} where the file cannot be read.
 * @throws {BaselineError} where an entry is not as it must be.
 */
export function entriesOf({ baseline }: Flags): BaselineEntry[] {
  return baseline === undefined ? [] : readBaseline(readText(baseline, '--baseline'), baseline)
}

/** A result of which known findings are let pass until their day, and what to say of the baseline. */
export function baselined(
  result: Result,
  entries: readonly BaselineEntry[],
): { result: Result; notes: string[] } {
  const { findings, baselined: known, unused } = applyBaseline(result.findings, entries, today())
  const notes = unused.map(
    ({ id }) => `The baseline lets ${id} pass, which did not show: take it out if it is mended.`,
  )
  return { result: { ...result, findings, baselined: known }, notes }
}

/**
 * Checks `--write-baseline` and `--until` before the run, which takes its time.
 *
 * @throws {UsageError} where one lacks the other.
 * @throws {BaselineError} where the day is none.
 */
export function checkWriting({ 'write-baseline': file, until }: Flags): void {
  if (file === undefined && until === undefined) return
  if (file === undefined) refuse('--until does nothing without --write-baseline; give both, or neither')
  if (until === undefined) refuse('--write-baseline needs --until, such as 2027-01-31')
  else writeBaseline([], until)
}

/** Writes what was found as a baseline; says whether one was asked for. */
export function writeFound({ 'write-baseline': file, until }: Flags, result: Result): boolean {
  if (file === undefined || until === undefined) return false
  writeText(file, writeBaseline([...result.findings, ...result.baselined], until), '--write-baseline')
  return true
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

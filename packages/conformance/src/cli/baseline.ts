import type { Result } from '../engine/result.ts'
import { applyBaseline, type BaselineEntry, readBaseline, writeBaseline } from '../report/baseline.ts'
import { readText, requireWritable, writeText } from './files.ts'
import type { Flags } from './flags.ts'
import { refuse } from './usage.ts'

/**
 * The entries of `--baseline`.
 *
 * @throws {FileError} where the file cannot be read.
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
 * @throws {FileError} where the file cannot be written.
 */
export function checkWriting({ 'write-baseline': file, until }: Flags): void {
  if (file === undefined && until === undefined) return
  if (file === undefined) refuse('--until does nothing without --write-baseline; give both, or neither')
  if (until === undefined) refuse('--write-baseline needs --until, such as 2027-01-31')
  writeBaseline([], until)
  requireWritable(file, '--write-baseline')
}

/** Writes what was found as a baseline, where one was asked for. */
export function writeFound({ 'write-baseline': file, until }: Flags, result: Result): void {
  if (file === undefined || until === undefined) return
  writeText(file, writeBaseline([...result.findings, ...result.baselined], until), '--write-baseline')
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

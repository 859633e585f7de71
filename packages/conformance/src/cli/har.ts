import { checkHar, HarError, type HarResult } from '../passive/har.ts'
import { exitCodeOf } from '../report/summary.ts'
import { baselined, entriesOf } from './baseline.ts'
import type { Flags } from './flags.ts'
import { readGate, shortfallsOf } from './gate.ts'
import { readReports } from './reports.ts'
import { conclude } from './run.ts'
import { readSpec, readText } from './spec.ts'
import { refuse } from './usage.ts'

/** Judges recorded traffic, and says what was found. */
export async function runHar(file: string | undefined, flags: Flags): Promise<number> {
  if (file === undefined) return refuse('har needs the file of a recording (HAR 1.2)')
  const wanted = readReports(flags.report)
  const gate = readGate(flags['min-coverage'])
  const entries = entriesOf(flags)
  const spec = await readSpec(flags.spec)
  const found = await judged(file, flags, spec.contract)
  const { result } = baselined({ ...found, strict: flags.strict }, entries)
  if (found.requests === 0)
    return refuse(`${file} holds no traffic of the service; give its base URL with --target`)
  const notes = [
    `Left out: ${found.leftOut} of other hosts or paths, ${found.withoutBody} without a recorded body.`,
  ]
  const shortfalls = shortfallsOf(result, gate)
  conclude(result, { flags, spec, wanted, notes: [...notes, ...shortfalls] })
  return shortfalls.length > 0 ? 1 : exitCodeOf(result)
}

async function judged(file: string, { target }: Flags, contract: object | undefined): Promise<HarResult> {
  const har: unknown = parsed(file, readText(file, 'har'))
  try {
    return await checkHar(har, {
      ...(contract && { contract }),
      ...(target !== undefined && { baseUrl: target }),
    })
  } catch (error) {
    if (error instanceof HarError || error instanceof TypeError) return refuse(`${file}: ${error.message}`)
    throw error
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return refuse(`${file} is no JSON, and a HAR is`)
  }
}

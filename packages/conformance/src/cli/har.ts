import { COULD_NOT_RUN } from '../report/summary.ts'
import { checkHar, HarError, type HarResult } from '../traffic/har.ts'
import { baselined, checkWriting, entriesOf } from './baseline.ts'
import { conclude } from './conclude.ts'
import { readText } from './files.ts'
import type { Flags } from './flags.ts'
import { readGate } from './gate.ts'
import { tell } from './print.ts'
import { readReports } from './reports.ts'
import { readSpec } from './spec.ts'
import { refuse, refuseFile } from './usage.ts'

/** Judges recorded traffic, and says what was found. */
export async function runHar(file: string | undefined, flags: Flags): Promise<number> {
  if (file === undefined) return refuse('har needs the file of a recording (HAR 1.2)')
  const wanted = readReports(flags.report)
  const gate = readGate(flags['min-coverage'])
  const entries = entriesOf(flags)
  checkWriting(flags)
  const spec = await readSpec(flags.spec)
  const found = await judged(file, flags, spec.contract)
  const { result } = baselined({ ...found, strict: flags.strict }, entries)
  if (found.requests === 0) {
    tell(`Nothing was judged: ${file} holds no traffic of the service; give its base URL with --target.`)
    return COULD_NOT_RUN
  }
  const { leftOut, withoutBody } = found
  const notes = [`Left out: ${leftOut} of other hosts or paths, ${withoutBody} without a recorded body.`]
  return conclude(result, { flags, spec, wanted, gate, notes })
}

async function judged(file: string, { target }: Flags, contract: object | undefined): Promise<HarResult> {
  const har: unknown = parsed(file, readText(file, 'har'))
  try {
    return await checkHar(har, {
      ...(contract && { contract }),
      ...(target !== undefined && { baseUrl: target }),
    })
  } catch (error) {
    if (error instanceof HarError) return refuseFile(`${file}: ${error.message}`)
    if (error instanceof TypeError) return refuse(`--target: ${error.message}`)
    throw error
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return refuseFile(`${file} is no JSON, and a HAR is`)
  }
}

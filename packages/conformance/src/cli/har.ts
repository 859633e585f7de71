import { COULD_NOT_RUN } from '../report/exit-codes.ts'
import { checkHar, HarError, type HarResult } from '../traffic/har.ts'
import { refuse, refuseFile } from './errors.ts'
import { jsonOf, readText } from './files.ts'
import type { Flags } from './flags.ts'
import { conclude, readOutcome } from './outcome.ts'
import { log } from './process.ts'
import { readSpec } from './spec.ts'

/** Checks recorded traffic and reports the result. */
export async function runHar(file: string | undefined, flags: Flags): Promise<number> {
  if (file === undefined) return refuse('har needs the file of a recording (HAR 1.2)')
  const outcome = readOutcome(flags)
  const spec = await readSpec(flags.text('spec'))
  const target = flags.value('target')
  const found = await judgeHar(file, {
    ...(spec.contract && { contract: spec.contract }),
    ...(typeof target === 'string' && { baseUrl: target }),
  })
  if (found.requests === 0) {
    log(`Nothing was judged: ${file} has no traffic of the service; give its base URL with --target.`)
    return COULD_NOT_RUN
  }
  const { leftOut, withoutBody } = found
  const notes = [`Left out: ${leftOut} of other hosts or paths, ${withoutBody} without a recorded body.`]
  return conclude(found, { flags, spec, outcome, isPart: false, notes })
}

async function judgeHar(file: string, options: Parameters<typeof checkHar>[1]): Promise<HarResult> {
  const har = jsonOf(readText(file, 'har'), file)
  try {
    return await checkHar(har, options)
  } catch (error) {
    if (error instanceof HarError) return refuseFile(`${file}: ${error.message}`)
    if (error instanceof TypeError) return refuse(`--target: ${error.message}`)
    throw error
  }
}

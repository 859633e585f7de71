import { check } from '../check.ts'
import type { CheckOptions } from '../engine/check-options.ts'
import type { Result } from '../engine/result.ts'
import { createProgress } from '../report/progress.ts'
import { MAX_AT_A_TIME, MAX_IN_ALL } from '../transport/tracked-resources.ts'
import type { Flags } from './flags.ts'
import { readRun } from './options.ts'
import { conclude, readOutcome } from './outcome.ts'
import { interruptible, log } from './process.ts'

const LIVE = `A live service: the run creates at most ${MAX_IN_ALL} records, ${MAX_AT_A_TIME} at a time, and removes each. If it is a sandbox or a mock, say so with --kind.`

/** Checks a service and reports the result. */
export async function runCheck(_: string | undefined, flags: Flags): Promise<number> {
  const outcome = readOutcome(flags)
  const { spec, options } = await readRun(flags)
  const result = await checkWithProgress(options)
  return conclude(result, {
    flags,
    spec,
    outcome,
    isPart: Boolean(options.only ?? options.operations ?? options.shard),
  })
}

/** Runs a check with progress. Ctrl-C ends it early. */
async function checkWithProgress(options: CheckOptions): Promise<Result> {
  const progress = createProgress(process.stderr)
  const began = performance.now()
  const interrupt = () => {
    progress.end()
    log('Interrupted: removing what the run created. Ctrl-C again ends at once, and leaves it.')
  }
  return interruptible(interrupt, (signal) =>
    check({
      ...options,
      signal,
      onReached: () => (options.target ?? 'live') === 'live' && log(LIVE),
      onProgress: (it) => signal.aborted || progress.update({ ...it, ms: performance.now() - began }),
    }),
  ).finally(progress.end)
}

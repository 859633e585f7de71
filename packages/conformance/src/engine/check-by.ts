import { buildResult } from './build-result.ts'
import type { CheckOptions } from './options.ts'
import { prepare, type Run } from './prepare.ts'
import type { Profile } from './profile.ts'
import type { Result } from './result.ts'
import { runRules } from './run.ts'

/** Checks a service by the rules of a profile. */
export async function checkWithProfile(options: CheckOptions, profile: Profile): Promise<Result> {
  const run = await prepare(options, profile)
  try {
    await runRules(run)
  } finally {
    await end(run)
  }
  return buildResult(run)
}

/** Removes what is left of the run, puts the clock back, and closes everything, whatever else fails. */
async function end({ sender, cleanup, clock, receiver, transport, stop }: Run): Promise<void> {
  try {
    // What is under way may make records too.
    await sender.idle()
    await cleanup.removeAll()
  } finally {
    await clock.restore()
    stop.done()
    await Promise.allSettled([receiver?.close(), transport.close()])
  }
}

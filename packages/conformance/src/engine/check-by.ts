import { buildResult } from './build-result.ts'
import type { CheckOptions } from './options.ts'
import { prepare, type Run } from './prepare.ts'
import type { Profile } from './profile.ts'
import type { Result } from './result.ts'
import { runRules } from './run.ts'

export async function checkWithProfile(options: CheckOptions, profile: Profile): Promise<Result> {
  const run = await prepare(options, profile)
  try {
    await runRules(run)
  } finally {
    await end(run)
  }
  return buildResult(run)
}

/** Removes what the run created, resets the clock and closes all connections, even if one of these fails. */
async function end({ sender, cleanup, clock, receiver, transport, stop }: Run): Promise<void> {
  try {
    // Pending requests may still create records.
    await sender.idle()
    await cleanup.removeAll()
  } finally {
    await clock.restore()
    stop.done()
    await Promise.allSettled([receiver?.close(), transport.close()])
  }
}

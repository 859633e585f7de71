import { buildResult } from './engine/build-result.ts'
import type { CheckOptions } from './engine/check-options.ts'
import { prepare, type Run } from './engine/prepare.ts'
import type { Result } from './engine/result.ts'
import { runRules } from './engine/run.ts'
import { profile } from './profiles/index.ts'

/**
 * Checks a running service against a contract.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {CannotRun} if the service does not respond or refuses the credentials, or the contract lacks a selected
 * operation. Once rules run, findings are never lost: `interrupted` in the result says what ended the run early
 * @throws {ContractError} if the contract cannot be read
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const result = await check({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials })
 * for (const { kind, message } of result.findings) console.log(kind, message)
 */
export async function check(options: CheckOptions): Promise<Result> {
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

import type { CheckOptions } from './options.ts'
import { prepare, type Run } from './prepare.ts'
import type { Result } from './result.ts'
import { resultOf } from './result-of.ts'
import { runLaws } from './run-rules.ts'

/**
 * Holds a running service to a contract.
 *
 * @throws {TypeError} where an option is unknown, or not what it must be
 * @throws {CannotRun} where it cannot be reached, refuses the credentials, or the contract lacks an operation asked for;
 * once laws are tried, what was found is never lost: the result then says by `interrupted` what ended the run
 * @throws {ContractError} where the contract cannot be read
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const result = await check({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials })
 * for (const { kind, message } of result.findings) console.log(kind, message)
 */
export async function check(options: CheckOptions): Promise<Result> {
  const run = await prepare(options)
  try {
    await runLaws(run)
  } finally {
    await end(run)
  }
  return resultOf(run)
}

/** Removes what is left of the run, puts the clock back, and closes everything, whatever else fails. */
async function end({ sender, undo, clock, receiver, wire, stop }: Run): Promise<void> {
  try {
    // What is under way may make records too.
    await sender.idle()
    await undo.all()
  } finally {
    await clock.restore()
    stop.done()
    await Promise.allSettled([receiver?.close(), wire.close()])
  }
}

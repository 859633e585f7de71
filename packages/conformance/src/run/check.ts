import type { Result } from '../result.ts'
import { NoToken } from './identities.ts'
import type { CheckOptions } from './options.ts'
import { prepare } from './prepare.ts'
import { resultOf } from './result-of.ts'
import { runLaws } from './run-laws.ts'

/**
 * Holds a running service to a contract.
 *
 * @throws {TypeError} where an option is unknown, or not what it must be
 * @throws {CannotRun} where it cannot be reached, refuses the credentials, or the contract lacks an operation asked for
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
  } catch (error) {
    if (!(error instanceof NoToken) || run.judge.findings().length === 0) throw error
  } finally {
    // What is under way may make records too.
    await run.sender.idle()
    await run.undo.all()
    await run.receiver?.close()
    await run.wire.close()
  }
  return resultOf(run)
}

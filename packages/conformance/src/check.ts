import { checkWithProfile } from './engine/check-by.ts'
import type { CheckOptions } from './engine/options.ts'
import type { Result } from './engine/result.ts'
import { profile } from './profiles/index.ts'

/**
 * Checks a running service against a contract.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {CannotRun} where it cannot be reached, refuses the credentials, or the contract lacks an operation asked for;
 * once rules are tried, what was found is never lost: the result then says by `interrupted` what ended the run
 * @throws {ContractError} if the contract cannot be read
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const result = await check({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials })
 * for (const { kind, message } of result.findings) console.log(kind, message)
 */
export function check(options: CheckOptions): Promise<Result> {
  return checkWithProfile(options, profile)
}

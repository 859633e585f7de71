import type { Result } from '../result.ts'
import { readContract } from '../run/contract.ts'
import { ownContract } from '../run/own.ts'

/**
 * Why a run that found no broken fact says nothing of the service either: no law could be assessed, or no operation
 * was ever answered with its success, as where the base path is wrong. Undefined where it says something.
 */
export async function nothingSaid(result: Result, contract: object | undefined): Promise<string | undefined> {
  if (result.findings.some(({ kind }) => kind === 'failure')) return undefined
  const { signIn } = readContract(contract ?? (await ownContract()))
  const tried = result.coverage.operations.filter((it) => it.requests > 0 && it.operation !== signIn?.id)
  if (tried.length > 0 && tried.every(({ successes }) => successes === 0))
    return 'No operation was answered with its success: is the base path of --target right?'
  const isNothing = result.laws.every(({ status }) => status === 'not-assessed')
  return isNothing ? 'Nothing could be assessed; --verbose says why.' : undefined
}

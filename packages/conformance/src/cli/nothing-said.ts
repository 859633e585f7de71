import type { Result } from '../engine/result.ts'
import { readContract } from '../model/contract.ts'
import { ownContract } from '../model/own.ts'

/**
 * Why a run that found no broken fact says nothing of the service either. Undefined where it says something, and of traffic
 * that others caused: it may well be of refusals alone.
 */
export async function nothingSaid(result: Result, contract: object | undefined): Promise<string | undefined> {
  const found = [...result.findings, ...result.baselined]
  if (result.target === 'traffic' || found.some(({ kind }) => kind === 'failure')) return undefined
  return nothingWorked(result, contract)
}

/**
 * Why nothing can be told of a service, whatever was found: no operation was ever answered with its success, as where the
 * base path is wrong, or no rule could be assessed. Undefined where something can.
 */
export async function nothingWorked(
  { target, coverage, rules }: Result,
  contract: object | undefined,
): Promise<string | undefined> {
  const { signIn } = readContract(contract ?? (await ownContract()))
  const tried = coverage.operations.filter((it) => it.requests > 0 && it.operation !== signIn?.id)
  if (target !== 'traffic' && tried.length > 0 && tried.every(({ successes }) => successes === 0))
    return 'No operation was answered with its success: is the base path of --target right?'
  const isNothing = rules.every(({ status }) => status === 'not-assessed')
  return isNothing ? 'Nothing could be assessed; --verbose says why.' : undefined
}

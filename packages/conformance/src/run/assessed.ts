import type { Law } from '../law.ts'
import { laws } from '../laws/index.ts'
import type { CheckOptions } from './options.ts'
import type { Run } from './prepare.ts'

/**
 * Why a law does not apply here; undefined where it does.
 *
 * @param isSilent Whether it runs for its requests alone, though nobody asked for it.
 */
export function notAssessed(
  { contract, target, options, identities, receiver, unreached }: Run,
  law: Law,
  isSilent = false,
): string | undefined {
  if (!isSilent && !isAsked(law, options)) return 'not asked for'
  if (law.optIn && options[law.optIn.option] === undefined) return law.optIn.reason
  const { operations } = options
  if (operations && law.needs && !law.needs.some((id) => operations.includes(id)))
    return 'none of its operations was asked for'
  const missing = law.needs?.find((id) => !contract.has(id))
  if (missing) return `the contract has no operation ${missing}`
  if (law.stateful && target === 'mock') return 'a mock keeps nothing'
  if (law.phase === 'deliveries' && !receiver) return 'the service cannot reach a receiver on this machine'
  if (law.phase === 'deliveries' && unreached.reason !== undefined) return unreached.reason
  if (law.identity === 'other' && !identities.has('other'))
    return 'no credentials of another partner were given'
  if (law.identity === 'customer' && !identities.has('customer')) return 'no customer could be impersonated'
  return undefined
}

/**
 * Whether a run is about an operation, so that what is found of it is told. Requests of others may prepare for it;
 * undefined is a finding about all of them.
 */
export function isAbout(
  { operations }: Pick<CheckOptions, 'operations'>,
  operation: string | undefined,
): boolean {
  return operation === undefined || !operations || operations.includes(operation)
}

/** Whether a run is about a law. */
export function isAsked({ id, phase }: Law, { only, shard }: CheckOptions): boolean {
  if (only && !only.includes(id) && !only.includes(phase)) return false
  return !shard || laws.findIndex((law) => law.id === id) % shard.n === shard.i - 1
}

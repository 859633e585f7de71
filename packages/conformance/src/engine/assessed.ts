import type { Contract } from '../model/contract.ts'
import { currentId } from '../rules/aliases.ts'
import { laws } from '../rules/index.ts'
import type { CheckOptions } from './options.ts'
import type { Run } from './prepare.ts'
import type { Law } from './rule.ts'

/**
 * Why a law does not apply here; undefined where it does.
 *
 * @param isSilent Whether it runs for its requests alone, though nobody asked for it.
 */
export function notAssessed(
  { contract, target, options, identities, receiver, clock, unreached }: Run,
  law: Law,
  isSilent = false,
): string | undefined {
  if (!isSilent && !isAsked(law, options)) return 'not asked for'
  if (law.optIn && options[law.optIn.option] === undefined) return law.optIn.reason
  const missing = missingIn(contract, law)
  if (missing !== undefined) return `the contract has no operation ${missing}`
  if (!isAnswered(contract, law)) return `the contract does not ask the question "${law.question}"`
  const { operations } = options
  if (operations && law.needs?.every((id) => !operations.includes(id)))
    return 'none of its operations was asked for'
  if (law.stateful && target === 'mock') return 'a mock keeps nothing'
  if (law.isOfSandbox && !clock.isControlled) return 'it needs the control of our sandbox, and there is none'
  if (law.phase === 'deliveries' && !receiver)
    return 'the service cannot reach a receiver on this machine; --receiver says where it can'
  if (law.phase === 'deliveries' && unreached.reason !== undefined) return unreached.reason
  const isAboutCallers = law.phase === 'authorization' || law.identity === 'other'
  if (isAboutCallers && contract.operations.every(({ scheme }) => scheme === undefined))
    return 'the contract asks for no credentials of a kind that is known here'
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

interface Held {
  readonly contract: Contract
  readonly options: Pick<CheckOptions, 'only' | 'shard'>
}

/** Whether a run is about a law that its contract has what it takes for: others are none of its coverage. */
export function isInside({ contract, options }: Held, law: Law): boolean {
  return isAsked(law, options) && appliesTo(contract, law)
}

/** Whether a contract has what a law takes for, and gives the answer that it holds a service to. */
export function appliesTo(contract: Contract, law: Law): boolean {
  return missingIn(contract, law) === undefined && isAnswered(contract, law)
}

function isAnswered({ questions }: Contract, { isOurs = false, question = '' }: Law): boolean {
  return !isOurs || questions.has(question)
}

function missingIn(contract: Contract, { needs = [] }: Law): string | undefined {
  return needs.find((id) => !contract.has(id))
}

/** Whether a run is about a law. */
export function isAsked({ id, phase }: Law, { only, shard }: Pick<CheckOptions, 'only' | 'shard'>): boolean {
  if (only && !only.some((it) => currentId(it) === id || it === phase)) return false
  return !shard || laws.findIndex((law) => law.id === id) % shard.n === shard.i - 1
}

import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import type { Target } from '../model/target.ts'
import type { Identities } from '../transport/identities.ts'
import type { ServiceClock } from '../transport/service-clock.ts'
import type { CheckOptions } from './check-options.ts'
import type { Profile } from './profile.ts'
import type { Rule } from './rule.ts'

interface ApplicabilityInput extends Selection {
  readonly target: Target
  readonly options: CheckOptions
  readonly identities: Pick<Identities, 'has'>
  readonly receiver: unknown
  readonly clock: Pick<ServiceClock, 'isControlled'>
  /** Set if no delivery reached the receiver. */
  readonly unreached: { readonly reason: string | undefined }
}

interface Selection {
  readonly contract: Contract
  readonly behaviour: Behaviour
  readonly profile: Pick<Profile, 'rules'>
  readonly options: Pick<CheckOptions, 'only' | 'shard'>
}

/**
 * Why a rule is not assessed in this run; undefined if it applies.
 *
 * @param isTrafficOnly Whether the rule is not selected, and runs only to cause traffic.
 */
export function notAssessedReason(
  setting: ApplicabilityInput,
  rule: Rule,
  isTrafficOnly = false,
): string | undefined {
  const { contract, target, options, identities, receiver, clock, unreached } = setting
  if (!isTrafficOnly && !isSelected(setting, rule)) return 'not selected'
  if (rule.optIn && options[rule.optIn.option] === undefined) return rule.optIn.reason
  const needs = operationsNeededBy(rule, setting.behaviour)
  if (needs?.length === 0) return 'the contract declares nothing that the rule verifies'
  const missing = missingOperation(contract, needs)
  if (missing !== undefined) return `the contract has no operation ${missing}`
  const { operations } = options
  if (operations && needs?.every((id) => !operations.includes(id)))
    return 'none of its operations is selected'
  if (rule.stateful && target === 'mock') return 'a mock is stateless'
  if (rule.needsSandboxControl && !clock.isControlled)
    return 'it needs the control API of the sandbox, which the service does not have'
  if (rule.phase === 'deliveries' && !receiver)
    return 'the service cannot reach a receiver on this machine; --receiver takes a URL that it can reach'
  if (rule.phase === 'deliveries' && unreached.reason !== undefined) return unreached.reason
  const isAboutCallers = rule.phase === 'authorization' || rule.requires === 'other'
  if (isAboutCallers && contract.operations.every(({ scheme }) => scheme === undefined))
    return 'the contract has no supported authentication scheme'
  if (rule.requires === 'other' && !identities.has('other'))
    return 'no credentials of another partner were given'
  if (rule.requires === 'customer' && !identities.has('customer')) return 'no customer could be impersonated'
  return undefined
}

/** Whether findings about an operation are reported. Undefined stands for all operations. */
export function isInScope(
  { operations }: Pick<CheckOptions, 'operations'>,
  operation: string | undefined,
): boolean {
  return operation === undefined || !operations || operations.includes(operation)
}

/** Whether a rule is selected and the contract has what it needs. Other rules do not count as coverage. */
export function isApplicable(chosen: Selection, rule: Rule): boolean {
  const needs = operationsNeededBy(rule, chosen.behaviour)
  return isSelected(chosen, rule) && needs?.length !== 0 && canApply(chosen.contract, rule, needs)
}

/** Whether the contract has the operations that a rule needs. */
export function canApply(contract: Contract, rule: Rule, needs = operationsNeededBy(rule, {})): boolean {
  return missingOperation(contract, needs) === undefined
}

function operationsNeededBy({ needs }: Rule, behaviour: Behaviour): readonly string[] | undefined {
  return typeof needs === 'function' ? needs(behaviour) : needs
}

function missingOperation(contract: Contract, needs: readonly string[] = []): string | undefined {
  return needs.find((id) => !contract.has(id))
}

/** Whether `only` and `shard` select a rule. */
export function isSelected(
  { profile: { rules }, options: { only, shard } }: Pick<Selection, 'profile' | 'options'>,
  { id, phase }: Rule,
): boolean {
  if (only && !only.some((it) => it === id || it === phase)) return false
  return !shard || rules.findIndex((rule) => rule.id === id) % shard.n === shard.i - 1
}

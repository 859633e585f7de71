import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Register } from '../judging/verdicts.ts'
import { type Contract, readContract, withAliases } from './contract.ts'

let own: Promise<Contract> | undefined

/** The contract of this project with the short paths of its guide, read once. */
export function readOwnContract(): Promise<Contract> {
  own ??= readBoth()
  return own
}

async function readBoth(): Promise<Contract> {
  const { default: guide } = await import('@partner-payments/spec/guide.json', { with: { type: 'json' } })
  return withAliases(readContract(await ownContract()), readContract(guide))
}

/** The contract of this project. */
export async function ownContract(): Promise<object> {
  const { default: contract } = await import('@partner-payments/spec/openapi.json', {
    with: { type: 'json' },
  })
  return contract
}

/** The behaviour that this project's contract declares. */
export async function ownBehaviour(): Promise<Behaviour> {
  const { default: behaviour } = await import('@partner-payments/spec/behaviour.json', {
    with: { type: 'json' },
  })
  // The lint of the contract holds the file to this form.
  return behaviour as Behaviour
}

/** The open questions of this project's contract. */
export async function ownRegister(): Promise<Register> {
  const { default: register } = await import('@partner-payments/spec/open-questions.json', {
    with: { type: 'json' },
  })
  return register as Register
}

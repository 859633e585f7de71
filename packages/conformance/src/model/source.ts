import type { Behaviour } from '@partner-payments/spec/behaviour'
import { type Contract, readContract, withAliases } from './contract.ts'
import type { Register } from './register.ts'

/** A contract, with its open questions and what it declares beyond one request. */
export interface ContractSource {
  readonly contract: Contract
  readonly register: Register
  readonly behaviour: Behaviour
}

/**
 * A contract that was given, or this project's own.
 *
 * @throws {ContractError} where the contract cannot be read
 */
export async function loadContract(given: object | undefined): Promise<ContractSource> {
  return given ? { contract: readContract(given), register: {}, behaviour: {} } : loadOwn()
}

let cachedOwn: Promise<ContractSource> | undefined

/** The contract of this project with the short paths of its guide, read once. */
function loadOwn(): Promise<ContractSource> {
  cachedOwn ??= readOwn()
  return cachedOwn
}

async function readOwn(): Promise<ContractSource> {
  const [contract, guide, register, behaviour, facts] = await Promise.all([
    defaultContract(),
    json(import('@partner-payments/spec/guide.json', { with: { type: 'json' } })),
    json(import('@partner-payments/spec/open-questions.json', { with: { type: 'json' } })),
    json(import('@partner-payments/spec/behaviour.json', { with: { type: 'json' } })),
    json(import('@partner-payments/spec/facts.json', { with: { type: 'json' } })),
  ])
  // The lint of the contract holds the files to these forms.
  const whole = withAliases(readContract(contract), readContract(guide))
  return {
    // The declared behaviour rests on questions that no mark of the contract names.
    contract: {
      ...whole,
      questions: new Set(Object.keys(register)),
      conventions: (behaviour as Behaviour).conventions ?? {},
      statements: new Map(facts.map(({ id, section }) => [id, section])),
    },
    register: register as Register,
    behaviour: behaviour as Behaviour,
  }
}

/** The contract of this project. */
export async function defaultContract(): Promise<object> {
  return json(import('@partner-payments/spec/openapi.json', { with: { type: 'json' } }))
}

async function json<T>(module: Promise<{ readonly default: T }>): Promise<T> {
  return (await module).default
}

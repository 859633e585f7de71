import type { Behaviour } from '@partner-payments/spec/behaviour'
import { type Contract, readContract, withAliases } from './contract.ts'

/** A contract with its open questions and declared behaviour. */
export interface ContractSource {
  readonly contract: Contract
  readonly register: Register
  readonly behaviour: Behaviour
}

/**
 * Loads the given contract, or the partner payments contract.
 *
 * @throws {ContractError} if the contract cannot be read
 */
export async function loadContract(document: object | undefined): Promise<ContractSource> {
  return document ? { contract: readContract(document), register: {}, behaviour: {} } : loadOwn()
}

let cachedOwn: Promise<ContractSource> | undefined

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
  // Includes the short paths of the guide.
  const whole = withAliases(readContract(contract), readContract(guide))
  return {
    // Declared behaviour cites questions that no mark of the contract names.
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

/** The partner payments contract. */
export async function defaultContract(): Promise<object> {
  return json(import('@partner-payments/spec/openapi.json', { with: { type: 'json' } }))
}

async function json<T>(module: Promise<{ readonly default: T }>): Promise<T> {
  return (await module).default
}

/** The open questions of the contract, by id. */
export type Register = Readonly<
  Record<string, { question: string; assumption: string; basis: 'standard' | 'assumed' | 'open' }>
>

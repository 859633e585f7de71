import type { Access } from '../../src/callers/credentials.ts'
import type { LawResult } from '../../src/result.ts'
import { check } from '../../src/run/check.ts'
import { inProcess, type Service } from '../wire.ts'
import { todos } from './contract.ts'
import { createTodos, TOKEN, type TodosOptions } from './service.ts'

/** Whom the second partner is known by. */
export const OTHER = 'todo-token-0002'

/** What a service of another contract is, where it is not the plain one of todos. */
export interface Foreign {
  readonly contract?: object
  readonly service?: Service
  readonly credentials?: Access
  /** Default: all. */
  readonly only?: readonly string[]
  readonly seed?: number
}

interface Found {
  /** Law, operation and words of each finding. */
  readonly found: readonly string[]
  /** How a law ended. */
  law(id: string): LawResult
}

/** Holds a service to every law, strictly, with a second partner. */
export async function foundIn({
  contract = todos,
  service = ownedTodos(contract),
  credentials = { token: TOKEN },
  only,
  seed,
}: Foreign): Promise<Found> {
  const { findings, laws } = await check({
    url: 'http://in.process',
    target: 'sandbox',
    strict: true,
    contract,
    credentials,
    other: { token: OTHER },
    wire: inProcess(service),
    timeMs: 200,
    ...(only && { only }),
    ...(seed !== undefined && { seed }),
  })
  return {
    found: findings.map((it) => `${it.law} ${it.operation}: ${it.message}`),
    law(id) {
      const result = laws.find(({ law }) => law === id)
      if (!result) throw new Error(`there is no law ${id}`)
      return result
    },
  }
}

/** A service of todos in which either partner sees their own alone. */
export function ownedTodos(contract: object = todos, options: TodosOptions = {}): Service {
  return createTodos(undefined, { contract, isOwned: true, isKnown, ...options })
}

function isKnown({ headers }: Request): boolean {
  return [TOKEN, OTHER].some(
    (token) => headers.get('authorization')?.toLowerCase() === `bearer ${token}`.toLowerCase(),
  )
}

import type { Access } from '../../src/transport/credentials.ts'
import type { Service } from '../in-process-transport.ts'
import { judged } from './check-service.ts'
import { todos } from './todos-contract.ts'
import { createTodos, TOKEN, type TodosOptions } from './todos-service.ts'

/** The token of the second partner. */
export const OTHER = 'todo-token-0002'

/** A service of another contract, where it differs from the plain todos. */
export interface Foreign {
  readonly contract?: object
  readonly service?: Service
  readonly credentials?: Access
  /** Default: all. */
  readonly only?: readonly string[]
  readonly seed?: number
}

/** Checks a service with every rule, strictly, with a second partner. */
export function foundIn({
  contract = todos,
  service = ownedTodos(contract),
  credentials = { token: TOKEN },
  only,
  seed,
}: Foreign): ReturnType<typeof judged> {
  const parts = { ...(only && { only }), ...(seed !== undefined && { seed }) }
  return judged(contract, service, { credentials, other: { token: OTHER }, ...parts })
}

/** A service of todos in which each partner sees only its own. */
export function ownedTodos(contract: object = todos, options: TodosOptions = {}): Service {
  return createTodos(undefined, { contract, isOwned: true, isKnown, ...options })
}

function isKnown({ headers }: Request): boolean {
  return [TOKEN, OTHER].some(
    (token) => headers.get('authorization')?.toLowerCase() === `bearer ${token}`.toLowerCase(),
  )
}

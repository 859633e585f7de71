import type { Access } from '../../src/transport/credentials.ts'
import type { Service } from '../in-process-transport.ts'
import { todos } from './contract.ts'
import { judged } from './judged.ts'
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

/** Holds a service to every rule, strictly, with a second partner. */
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

/** A service of todos in which either partner sees their own alone. */
export function ownedTodos(contract: object = todos, options: TodosOptions = {}): Service {
  return createTodos(undefined, { contract, isOwned: true, isKnown, ...options })
}

function isKnown({ headers }: Request): boolean {
  return [TOKEN, OTHER].some(
    (token) => headers.get('authorization')?.toLowerCase() === `bearer ${token}`.toLowerCase(),
  )
}

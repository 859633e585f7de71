import { aliases, operations } from './generated/operations.ts'

/** An operation of the contract, as the engine needs it. */
export interface Operation {
  readonly operationId: string
  readonly method: string
  /** May it be sent twice? `x-effect` of the contract, an assumption about the open question `effects`. */
  readonly effect: 'read' | 'idempotent' | 'once'
  /** What a success answers; 204 has no body. */
  readonly status: number
  /** What a call is given besides the values of the path. */
  readonly takes: 'body' | 'query' | '-'
  /** With its parameters in braces. */
  readonly path: string
  /** Where a success shows a value of the request: `/amount=/data/amount`, joined by commas; from `x-echoes`. */
  readonly echoes?: string
}

/** Reads a line of the table of operations. */
export function operationOf(row: string): Operation {
  const [operationId, method, effect, status, takes, path, echoes] = row.split(' ')
  return { operationId, method, effect, status: Number(status), takes, path, echoes } as Operation
}

/** All of them in the order of the contract, then the short paths of its guide. */
export function allOperations(): Operation[] {
  const rows = Object.values(operations).flatMap((verbs) => Object.values<string>(verbs))
  return [...rows, ...aliases].map(operationOf)
}

export { type aliases, operations }

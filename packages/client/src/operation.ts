import { operations } from './generated/operations.ts'

/** An operation of the contract, as the engine needs it. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** May it be sent twice? `x-effect` of the contract, our answer to the open question `effects`. */
  readonly effect: 'read' | 'idempotent' | 'once'
  /** What a success answers; 204 has no body. */
  readonly status: number
  readonly input: 'body' | 'query' | '-'
  /** With its parameters in braces. */
  readonly path: string
}

/** Reads a line of the table of operations. */
export function operationOf(row: string): Operation {
  const [id, method, effect, status, input, path] = row.split(' ') as [string, ...string[]]
  return { id, method, effect, status: Number(status), input, path } as Operation
}

export { operations }

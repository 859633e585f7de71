import { valueAt } from '@partner-payments/contract'
import type { TransferStatus } from './generated/contract.ts'
import type { Operation } from './operation.ts'

/** The status of a payment that moved no money: whoever reads it may pay again. */
const REJECTED: TransferStatus = 'rejected'

/**
 * Returns the JSON pointer of a status that contradicts a `rejected` in the same response: for
 * `{ status: 'rejected', data: { status: 'settled' } }` it is `/data/status`. Such a response proves
 * neither that the payment was made nor that it was not. `undefined` if there is no contradiction.
 */
export function findOtherThanRejected(
  { statuses = [] }: Operation,
  body: unknown,
): string | undefined {
  const pointers = statuses.filter((pointer) => typeof valueAt(body, pointer) === 'string')
  const isRejected = pointers.some((pointer) => valueAt(body, pointer) === REJECTED)
  if (!isRejected) return undefined
  return pointers.find((pointer) => valueAt(body, pointer) !== REJECTED)
}

import type { Contract } from '../model/contract.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Call, Reply } from '../transport/transport.ts'

/** The operation whose contract says how another method is refused on its path; undefined where none does. */
export function refusingMethod(
  { validator, operations }: Contract,
  { method, path }: Pick<Call, 'method' | 'path'>,
  { status }: Pick<Reply, 'status'>,
): OperationView | undefined {
  if (status !== 405) return undefined
  const pathname = path.split('?', 1)[0] ?? ''
  const found = validator.findOperation(method, pathname)
  if (found.found) return undefined
  return operations.find((view) => {
    const own = validator.findOperation(view.method, pathname)
    return own.found && own.operation === view.operation && view.statuses.includes('405')
  })
}

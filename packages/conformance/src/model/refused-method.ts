import type { Contract } from './contract.ts'
import type { HttpRequest, HttpResponse } from './http.ts'
import type { OperationView } from './operation-view.ts'

/** The operation whose contract describes the 405 for another method on its path. */
export function operationRefusingMethod(
  { validator, operations }: Contract,
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
  { status }: Pick<HttpResponse, 'status'>,
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

import type { Contract, Operation } from '../contract/contract.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The service has the method at no path (RFC 9110, section 15.6.2). */
export const NOT_IMPLEMENTED = 501

/** Finds the operations of a path, whatever their method. */
export function findOperations(contract: Contract, path: string): Operation[] {
  return METHODS.flatMap((method) => contract.find(method, path)?.operation ?? [])
}

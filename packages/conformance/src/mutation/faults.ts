import type { Contract } from '../model/contract.ts'
import type { MechanicalFault } from './fault.ts'
import { requestFaults } from './request-faults.ts'
import { responseFaults } from './response-faults.ts'

/**
 * Derives all faults from a contract: responses that differ from it in one place, and keywords of requests that are
 * not validated. Ids and order depend only on the contract.
 *
 * @example
 * const faults = mechanicalFaults(readContract(document))
 * console.log(faults.length, faults[0]?.id)
 */
export function mechanicalFaults(contract: Contract): MechanicalFault[] {
  const all = [...responseFaults(contract), ...requestFaults(contract)]
  return [...new Map(all.map((it) => [it.id, it])).values()]
}

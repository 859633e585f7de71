import type { Contract } from '../model/contract.ts'
import type { MechanicalFault } from './fault.ts'
import { requestFaults } from './request-faults.ts'
import { responseFaults } from './response-faults.ts'

/**
 * Every fault that can be drawn from a contract itself: answers that depart from it in one place, and keywords of
 * requests that are not looked at. Their ids and their order stay as long as the contract does.
 *
 * @example
 * const faults = mechanicalFaults(readContract(document))
 * console.log(faults.length, faults[0]?.id)
 */
export function mechanicalFaults(contract: Contract): MechanicalFault[] {
  const all = [...responseFaults(contract), ...requestFaults(contract)]
  return [...new Map(all.map((it) => [it.id, it])).values()]
}

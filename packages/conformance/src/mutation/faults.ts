import type { Contract } from '../model/contract.ts'
import { answerFaults } from './response-faults.ts'
import { checkFaults } from './request-faults.ts'
import type { MechanicalFault } from './fault.ts'

/**
 * Every fault that can be drawn from a contract itself: answers that depart from it in one place, and keywords of
 * requests that are not looked at. Their ids and their order stay as long as the contract does.
 *
 * @example
 * const faults = mechanicalFaults(readContract(document))
 * console.log(faults.length, faults[0]?.id)
 */
export function mechanicalFaults(contract: Contract): MechanicalFault[] {
  const all = [...answerFaults(contract), ...checkFaults(contract)]
  return [...new Map(all.map((it) => [it.id, it])).values()]
}

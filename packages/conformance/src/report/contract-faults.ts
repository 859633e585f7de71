import type { Result } from '../engine/result.ts'
import type { ContractFault } from '../model/contract.ts'
import type { ReportOptions } from './options.ts'
import { placeOf } from './source-location.ts'
import type { Column } from './table-columns.ts'

/** The heading of errors in the contract. */
export const CONTRACT_FAULTS = 'Errors in the contract (what they affect was not checked)'

/** An error in the contract with its `file:line`, if that is known. */
export interface LocatedFault extends ContractFault {
  readonly at: string | undefined
}

export function locatedFaults({ contractFaults = [] }: Result, { locate }: ReportOptions): LocatedFault[] {
  return contractFaults.map((fault) => ({ ...fault, at: placeOf(fault.pointer, locate) }))
}

export const FAULT_COLUMNS: readonly Column<LocatedFault>[] = [
  { title: 'Place', text: ({ at, pointer }) => at ?? pointer, as: 'code' },
  { title: 'Error', text: ({ message }) => message },
]

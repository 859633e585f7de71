import type { Contract } from '../model/contract.ts'
import type { Result } from './result.ts'

export function contractFields({
  title,
  version,
  faults,
}: Contract): Pick<Result, 'contract' | 'contractFaults'> {
  return { contract: { title, version }, ...(faults.length > 0 && { contractFaults: [...faults] }) }
}

import type { Contract } from '../model/contract.ts'
import type { Result } from './result.ts'

/** What a result says of a contract: which it was, and what is wrong with it. */
export function contractFields({
  title,
  version,
  faults,
}: Contract): Pick<Result, 'contract' | 'contractFaults'> {
  return { contract: { title, version }, ...(faults.length > 0 && { contractFaults: [...faults] }) }
}

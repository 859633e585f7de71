import { mergeContracts } from '@partner-payments/spec/build'
import { type Contract, operationsOf } from './contract.ts'

/** The section of the reference that shows the short paths. */
const SECTION = {
  name: 'short paths',
  description: `Shorter forms of five paths, which a guide for partners gives. It is not known whether the service serves
them. [How to call them](guides/short-paths.html).`,
}

/** The contract with the short paths of its guide in a section of their own, for pages that show both documents. */
export function withShortPaths(contract: Contract, guide: Contract): Contract {
  const copy = structuredClone(guide)
  for (const { node } of operationsOf(copy)) node.tags = [SECTION.name]
  return { ...mergeContracts(contract, copy), tags: [...contract.tags, SECTION] }
}

import { readFiles } from '../check.ts'
import { bundleContracts } from '../redocly.ts'
import type { Fault, RuleInput } from '../rule.ts'
import { behaviourAgrees, behaviourForm } from './check.ts'
import type { BehaviourFiles } from './read.ts'

type Entries = BehaviourFiles['entries']

/**
 * Reads a contract once, to check many changed versions of spec/behaviour against it.
 *
 * @param spec The folder of the contract.
 */
export async function behaviourChecker(spec: string) {
  const { contracts } = await bundleContracts(spec)
  const files = readFiles(spec)
  return {
    /** The entries as they are. */
    entries: files.behaviour.entries,
    /**
     * Reports what is wrong with changed entries: their form, or what they name and the contract or
     * other entries do not have.
     */
    findFaults(entries: Entries): readonly Fault[] {
      const input: RuleInput = {
        ...files,
        spec,
        root: 'openapi',
        contract: contracts.openapi,
        other: contracts.guide,
        behaviour: { ...files.behaviour, entries },
      }
      return [...behaviourForm(input), ...behaviourAgrees(input)]
    },
  }
}

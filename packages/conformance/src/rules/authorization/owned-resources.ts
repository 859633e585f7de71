import type { Contract } from '../../model/contract.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'

/** Resources whose records have an owner: their creation requires credentials. */
export function ownedResources(contract: Contract): Resource[] {
  return resourcesOf(contract).filter(({ create }) => create.scheme !== undefined)
}

/** Steps that require credentials. An operation without security cannot distinguish callers. */
export function authenticatedSteps(steps: readonly (Step | undefined)[]): Step[] {
  return steps.filter((step) => step !== undefined).filter(({ view }) => view.scheme !== undefined)
}

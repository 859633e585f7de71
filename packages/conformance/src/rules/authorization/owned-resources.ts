import type { Contract } from '../../model/contract.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'

/** Resources whose records have an owner: who makes one is asked for credentials. */
export function ownedIn(contract: Contract): Resource[] {
  return resourcesOf(contract).filter(({ create }) => create.scheme !== undefined)
}

/** Steps that can tell one caller from another; to an operation without security, all callers are the same. */
export function asking(steps: readonly (Step | undefined)[]): Step[] {
  return steps.filter((step) => step !== undefined).filter(({ view }) => view.scheme !== undefined)
}

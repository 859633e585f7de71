import type { Context } from '../../engine/context.ts'
import type { Contract } from '../../model/contract.ts'
import { type Exchange, isSuccess, type RequestIdentity } from '../../model/exchange.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import { doStep } from '../common/record-steps.ts'

/** Resources whose records have an owner: their creation requires credentials. */
export function ownedResources(contract: Contract): Resource[] {
  return resourcesOf(contract).filter(({ create }) => create.scheme !== undefined)
}

/** Steps that require credentials. An operation without security cannot distinguish callers. */
export function authenticatedSteps(steps: readonly (Step | undefined)[]): Step[] {
  return steps.filter((step) => step !== undefined).filter(({ view }) => view.scheme !== undefined)
}

/**
 * The actions that only an owner may do: those that the contract links to, and all where others cannot read the record.
 * Others may like or join a record that they can read.
 */
export async function actionsOfOwner(
  context: Context,
  { read, actions }: Resource,
  { created, identity }: { readonly created: Exchange; readonly identity: RequestIdentity },
): Promise<Step[]> {
  const linked = actions.filter(({ link }) => link.pointer !== '')
  if (linked.length === actions.length || !read) return linked
  return isSuccess(await doStep(context, read, created, { identity })) ? linked : [...actions]
}

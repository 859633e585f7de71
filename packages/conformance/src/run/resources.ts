import type { Contract } from './contract.ts'
import { below, nodeOf } from './document.ts'
import type { Link } from './links.ts'
import type { OperationView } from './operation-view.ts'
import { successesOf } from './statuses.ts'

/** Records that an operation makes, and what can be done with one of them. */
export interface Resource {
  readonly create: OperationView
  readonly list: OperationView | undefined
  readonly read: Step | undefined
  readonly update: Step | undefined
  /** Deletes: its success has no content. */
  readonly remove: Step | undefined
  /** Ends the record, and shows it: a DELETE whose success has content. */
  readonly cancel: Step | undefined
  /** Changes it without a body, as the rotation of a secret. */
  readonly act: Step | undefined
}

/** An operation on a record, and the link from the creation that leads to it. */
export interface Step {
  readonly view: OperationView
  readonly link: Link
}

/** The resources of a contract, by its links: a creation leads to what can be done with the record. */
export function resourcesOf(contract: Contract): Resource[] {
  return contract.operations.flatMap((create) => {
    const steps = contract.links.filter(
      ({ from, parameters }) => from === create.id && Object.keys(parameters).length > 0,
    )
    if (create.method !== 'POST' || steps.length === 0) return []
    const stepOf = (isIt: (view: OperationView) => boolean): Step | undefined => {
      const link = steps.find(({ to }) => isIt(contract.operation(to)))
      return link && { view: contract.operation(link.to), link }
    }
    return [
      {
        create,
        list: contract.operations.find((it) => isListOf(it, create)),
        read: stepOf(({ method }) => method === 'GET'),
        update: stepOf((it) => /^(PUT|PATCH)$/.test(it.method) && it.bodyPointer !== undefined),
        remove: stepOf((it) => it.method === 'DELETE' && !showsContent(contract, it)),
        cancel: stepOf((it) => it.method === 'DELETE' && showsContent(contract, it)),
        act: stepOf((it) => /^(PUT|PATCH|POST)$/.test(it.method) && it.bodyPointer === undefined),
      },
    ]
  })
}

/** Whatever can be done with a record. */
export function operationsOf({ create, list, ...steps }: Resource): OperationView[] {
  const done = Object.values(steps).flatMap((step) => (step ? [step.view] : []))
  return [create, ...(list ? [list] : []), ...done]
}

/** The path of the creation, but for a slash at its end. */
function isListOf({ method, path }: OperationView, create: OperationView): boolean {
  const bare = (it: string) => it.replace(/\/$/, '')
  return method === 'GET' && bare(path) === bare(create.path)
}

/** Whether a success of an operation has content. */
function showsContent({ document }: Contract, { pointer, statuses }: OperationView): boolean {
  return successesOf(statuses).some((status) => {
    const { node } = document.follow(below(pointer, 'responses', status))
    return Object.keys(nodeOf(node.content)).length > 0
  })
}

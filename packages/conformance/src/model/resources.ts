import type { Contract } from './contract.ts'
import type { Link } from './links.ts'
import type { OperationView } from './operation-view.ts'
import { responseProperties } from './response-properties.ts'
import { successesOf } from './statuses.ts'

/** Records that an operation makes, and what can be done with one of them. */
export interface Resource {
  readonly create: OperationView
  readonly list: OperationView | undefined
  readonly read: Step | undefined
  readonly update: Step | undefined
  /** Deletes, whether or not it shows what it has deleted. */
  readonly remove: Step | undefined
  /** Ends the record, and shows it with another `status`. */
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
    // What is accepted only is done later (RFC 9110, section 15.3.3): nothing can be asked of it now.
    if (create.method !== 'POST' || isAsynchronous(create) || steps.length === 0) return []
    const stepOf = (isIt: (view: OperationView) => boolean): Step | undefined => {
      const meant = steps.filter(({ to }) => isIt(contract.operation(to)))
      // What hangs on a record, as its comments do, is not the record.
      const own = meant.find(({ to }) => /\}\/?$/.test(contract.operation(to).path))
      const link = own ?? meant.find(({ pointer }) => pointer !== '')
      return link && { view: contract.operation(link.to), link }
    }
    return [
      {
        create,
        list: contract.operations.find((it) => isListOf(it, create)),
        read: stepOf(({ method }) => method === 'GET'),
        update: stepOf((it) => /^(PUT|PATCH)$/.test(it.method) && it.bodyPointer !== undefined),
        remove: stepOf((it) => it.method === 'DELETE' && !isCancelling(contract, create, it)),
        cancel: stepOf((it) => it.method === 'DELETE' && isCancelling(contract, create, it)),
        act: stepOf((it) => /^(PUT|PATCH|POST)$/.test(it.method) && it.bodyPointer === undefined),
      },
    ]
  })
}

/** Whether all that a creation answers is 202. */
function isAsynchronous({ statuses }: OperationView): boolean {
  return successesOf(statuses).every((it) => it === '202')
}

/** Whether a DELETE leaves a record that can be told from one that goes on: both show its status. */
function isCancelling({ document }: Contract, create: OperationView, end: OperationView): boolean {
  return [create, end].every((it) => responseProperties(document, it).includes('status'))
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

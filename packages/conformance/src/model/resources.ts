import type { Contract } from './contract.ts'
import type { Link } from './links.ts'
import type { OperationView } from './operation-view.ts'
import { responseProperties } from './schema-properties.ts'
import { successesOf } from './statuses.ts'

/** A kind of record: the operation that creates it, and the operations on one record. */
export interface Resource {
  readonly create: OperationView
  readonly list: OperationView | undefined
  readonly read: Step | undefined
  readonly update: Step | undefined
  /** Deletes the record. */
  readonly remove: Step | undefined
  /** Ends the record, which is then shown with another `status`. */
  readonly cancel: Step | undefined
  /** Change the record without a body, such as the rotation of a secret. */
  readonly actions: readonly Step[]
}

/** An operation on a record, and the link from its creation. */
export interface Step {
  readonly view: OperationView
  readonly link: Link
}

/** The resources of a contract, found by the links of creations. */
export function resourcesOf(contract: Contract): readonly Resource[] {
  const found = known.get(contract) ?? findResources(contract)
  known.set(contract, found)
  return found
}

/** Many rules ask for them, some for each response. */
const known = new WeakMap<Contract, readonly Resource[]>()

function findResources(contract: Contract): Resource[] {
  return contract.operations.flatMap((create) => {
    const steps = contract.links.filter(
      ({ from, parameters }) => from === create.id && Object.keys(parameters).length > 0,
    )
    // A 202 is processed later (RFC 9110, section 15.3.3), so the record may not exist yet.
    if (create.method !== 'POST' || isAsynchronous(create) || steps.length === 0) return []
    const stepTo = (link: Link): Step => ({ view: contract.operation(link.to), link })
    const stepOf = (isIt: (view: OperationView) => boolean): Step | undefined => {
      const candidates = steps.filter(({ to }) => isIt(contract.operation(to)))
      // Prefers the record itself to what belongs to it, such as its comments.
      const own = candidates.find(({ to }) => /\}\/?$/.test(contract.operation(to).path))
      const link = own ?? candidates[0]
      return link && stepTo(link)
    }
    return [
      {
        create,
        list: contract.operations.find((it) => isListOf(it, create)),
        read: stepOf(({ method }) => method === 'GET'),
        update: stepOf((it) => /^(PUT|PATCH)$/.test(it.method) && it.bodyPointer !== undefined),
        remove: stepOf((it) => it.method === 'DELETE' && !isCancelling(contract, create, it)),
        cancel: stepOf((it) => it.method === 'DELETE' && isCancelling(contract, create, it)),
        actions: steps.map(stepTo).filter(({ view }) => isAction(view)),
      },
    ]
  })
}

function isAction({ method, bodyPointer }: OperationView): boolean {
  return /^(PUT|PATCH|POST)$/.test(method) && bodyPointer === undefined
}

/** Whether every success is a 202. */
function isAsynchronous({ statuses }: OperationView): boolean {
  return successesOf(statuses).every((it) => it === '202')
}

/** Whether a DELETE keeps the record: both responses show its `status`. */
function isCancelling({ document }: Contract, create: OperationView, end: OperationView): boolean {
  return [create, end].every((it) => responseProperties(document, it).includes('status'))
}

export function operationsOf({
  create,
  list,
  read,
  update,
  remove,
  cancel,
  actions,
}: Resource): OperationView[] {
  const steps = [read, update, remove, cancel, ...actions].filter((it) => it !== undefined)
  return [create, ...(list ? [list] : []), ...steps.map(({ view }) => view)]
}

/** A GET of the same path. */
function isListOf({ method, path }: OperationView, create: OperationView): boolean {
  const bare = (it: string) => it.replace(/\/$/, '')
  return method === 'GET' && bare(path) === bare(create.path)
}

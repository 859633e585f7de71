import type { Validator } from '@partner-payments/validator'
import type { Contract } from '../model/contract.ts'
import { NotSent } from '../model/errors.ts'
import type { HttpRequest } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Target } from '../model/target.ts'
import { isAtMost, type Payment } from './payment.ts'
import type { Policy } from './policy.ts'
import { barePath, isRead, type TrackedResources } from './tracked-resources.ts'

/** Looks at every request before it leaves. Throws `NotSent` for what must not. */
export type Guard = (view: OperationView | undefined, request: HttpRequest) => void

export interface GuardOptions {
  readonly contract: Contract
  readonly policy: Policy
  /** What the run has made, which alone it may change. */
  readonly tracked: Pick<TrackedResources, 'isOwn' | 'begin'>
  readonly target: Target
  readonly maxAmount: string | undefined
  /** The operation that moves money; undefined where none is known. */
  readonly payment: Payment | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * The last line before a service: nothing leaves once the run is aborted, and nothing that a live service must not be
 * sent, whichever rule asks for it.
 *
 * What changes a record of a live service is sent for records that the run itself made, and for no other id: an id that
 * nobody has by our belief, as `0`, `x` or a UUID of zeros, may be somebody's by the service's. So the cases of such ids
 * are masked there, where they change something.
 */
export function createGuard({
  contract,
  policy,
  tracked,
  target,
  maxAmount,
  payment,
  signal,
}: GuardOptions): Guard {
  return (view, request) => {
    if (signal?.aborted) throw new NotSent('not sent: the run was aborted')
    if (target !== 'live') return
    const all = [...new Set([...(view ? [view] : []), ...matchingOperations(contract, request)])].filter(
      (meant) => !isUnreadableBody(meant, request),
    )
    for (const meant of all) {
      const why = policy.forbiddenReason(meant)
      if (why !== undefined) throw new NotSent(why)
      if (payment && meant.id === payment.operation && !isAtMost(payment, request, maxAmount))
        throw new NotSent(`not sent: no payment above ${maxAmount} is sent`)
      if (changesRecord(meant) && !tracked.isOwn(request.path))
        throw new NotSent('not sent: a live service is changed in the records of this run alone')
    }
    // Last, since what is begun is sent.
    for (const meant of all)
      if (!tracked.begin(meant, request))
        throw new NotSent('not sent: no more records are made on a live service')
  }
}

/** A body that no service can execute: it names no amount, no key and no URL. */
export const UNREADABLE = '{'

/** Whether a request cannot be executed, since the body that its operation requires cannot be read. */
function isUnreadableBody({ isBodyRequired, pathParameters }: OperationView, { body }: HttpRequest): boolean {
  return isBodyRequired && pathParameters.length === 0 && body === UNREADABLE
}

/** What a path may mean to a lenient service: with its slash and without. */
function matchingOperations(
  { operations, aliases, validator }: Contract,
  { method, path }: HttpRequest,
): OperationView[] {
  return [barePath(path), `${barePath(path)}/`].flatMap((it) => {
    const isMeant = (view: OperationView, by: Validator) => {
      const found = by.findOperation(method, it)
      return found.found && found.operation === view.operation
    }
    const aliased = aliases.filter((alias) => isMeant(alias.view, alias.validator)).map(({ of }) => of)
    return [...operations.filter((view) => isMeant(view, validator)), ...aliased]
  })
}

/** Whether an operation acts on the record that its path names. */
function changesRecord(view: OperationView): boolean {
  return view.pathParameters.length > 0 && !isRead(view)
}

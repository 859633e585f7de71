import type { Validator } from '@partner-payments/validator'
import type { Contract } from '../model/contract.ts'
import { NotSent } from '../model/errors.ts'
import type { HttpRequest } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Target } from '../model/target.ts'
import { isAtMost, type Payment, type Policy } from './policy.ts'
import { barePath, isRead, type TrackedResources } from './tracked-resources.ts'

/** Called before each request is sent. Throws `NotSent` to prevent it. */
export type Guard = (view: OperationView | undefined, request: HttpRequest) => void

export interface GuardOptions {
  readonly contract: Contract
  readonly policy: Policy
  /** Records of the run, the only ones that it may change. */
  readonly tracked: Pick<TrackedResources, 'isOwn' | 'begin'>
  readonly target: Target
  readonly maxAmount: string | undefined
  /** The operation that moves money; undefined if there is none. */
  readonly payment: Payment | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * The last check before a request is sent, whichever rule builds it: nothing after an abort, and nothing that could
 * harm a live service.
 *
 * On a live service, only records of this run are changed. An id that should not exist, such as `0` or a UUID of
 * zeros, may exist there, so cases that would change it are inconclusive.
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
    const operations = [
      ...new Set([...(view ? [view] : []), ...matchingOperations(contract, request)]),
    ].filter((operation) => !isUnreadableBody(operation, request))
    for (const operation of operations) {
      const why = policy.forbiddenReason(operation)
      if (why !== undefined) throw new NotSent(why)
      if (payment && operation.id === payment.operation && !isAtMost(payment, request, maxAmount))
        throw new NotSent(`not sent: the payment is above ${maxAmount}`)
      if (isRecordChange(operation) && !tracked.isOwn(request.path))
        throw new NotSent('not sent: on a live service, only records of this run may be changed')
    }
    // Must be last, since it counts the request as sent.
    for (const operation of operations)
      if (!tracked.begin(operation, request))
        throw new NotSent('not sent: the limit of created records on a live service is reached')
  }
}

/** A body that no service can execute: it has no amount, key or URL. */
export const UNREADABLE = '{'

/** Whether the request is harmless, because its required body cannot be parsed. */
function isUnreadableBody({ isBodyRequired, pathParameters }: OperationView, { body }: HttpRequest): boolean {
  return isBodyRequired && pathParameters.length === 0 && body === UNREADABLE
}

/** All operations that a lenient service may match, with and without a trailing slash. */
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

/** Whether an operation changes the record in its path. */
function isRecordChange(view: OperationView): boolean {
  return view.pathParameters.length > 0 && !isRead(view)
}

import type { Contract } from '../model/contract.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Target } from '../model/target.ts'
import type { Payment } from './payment.ts'
import { isRead, removalsOf } from './tracked-resources.ts'

/** What may be sent to a target, and with which values. */
export interface Policy {
  canSend(view: OperationView): boolean
  /** Why an operation must not be sent to this target; undefined where it may be. */
  forbiddenReason(view: OperationView): string | undefined
  /** The same, or why no request of it can be made. */
  notSentReason(view: OperationView): string | undefined
}

interface PolicyOptions {
  /** The operation that moves money; undefined where none is known. */
  readonly payment?: Pick<Payment, 'operation'> | undefined
  readonly allowPayments?: { readonly maxAmount: string }
  /** Why no request of an operation can be made, whatever the target. */
  readonly unsendable?: (view: OperationView) => string | undefined
}

/**
 * To a mock or a sandbox, everything. To a live service, what changes nothing or can be undone: an operation that
 * deletes, or one whose answer links to one that does. Never a payment, unless it is allowed. Which record is meant, the
 * guard asks.
 */
export function createPolicy(
  contract: Contract,
  target: Target,
  { allowPayments, payment, unsendable = () => undefined }: PolicyOptions,
): Policy {
  const undoable = new Set(removalsOf(contract).map(({ from }) => from))
  const isHarmless = (view: OperationView) =>
    isRead(view) || view.effect === 'idempotent' || undoable.has(view.id)
  const isPayment = ({ id }: OperationView) => id === payment?.operation
  const isAllowedPayment = (view: OperationView) => isPayment(view) && allowPayments !== undefined
  // The guard asks whether the record is one that this run made.
  const changesOwnRecord = ({ id }: OperationView) =>
    contract.links.some(({ to, from }) => to === id && undoable.has(from))
  const isAllowed = (view: OperationView) =>
    target !== 'live' ||
    isHarmless(view) ||
    changesOwnRecord(view) ||
    view === contract.signIn ||
    isAllowedPayment(view)
  const forbiddenReason = (view: OperationView) =>
    isAllowed(view) ? undefined : isPayment(view) ? PAYMENT_NOT_ALLOWED : CANNOT_BE_UNDONE
  const notSentReason = (view: OperationView) => forbiddenReason(view) ?? unsendable(view)
  return {
    forbiddenReason,
    canSend: (view) => notSentReason(view) === undefined,
    notSentReason,
  }
}

const PAYMENT_NOT_ALLOWED = 'not sent: a live service is not paid without --allow-payments'
const CANNOT_BE_UNDONE = 'not sent: what it makes or changes on a live service could not be undone'

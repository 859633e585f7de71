import type { Contract } from '../model/contract.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Target } from '../model/target.ts'
import type { Payment } from './payment.ts'
import { isRead, removalsOf } from './tracked-resources.ts'

/** What may be sent to a target, and with which values. */
export interface Policy {
  may(view: OperationView): boolean
  /** Why an operation must not be sent to this target; undefined where it may be. */
  forbidden(view: OperationView): string | undefined
  /** The same, or why no request of it can be made. */
  notSent(view: OperationView): string | undefined
}

interface Allowed {
  /** The operation that moves money; undefined where none is known. */
  readonly payment?: Pick<Payment, 'operation'> | undefined
  readonly allowPayments?: { readonly maxAmount: string }
  /** Why no request of an operation can be made, whatever the target. */
  readonly unaskable?: (view: OperationView) => string | undefined
}

/**
 * To a mock or a sandbox, everything. To a live service, what changes nothing or can be undone: an operation that
 * deletes, or one whose answer links to one that does. Never a payment, unless it is allowed. Which record is meant, the
 * guard asks.
 */
export function createPolicy(
  contract: Contract,
  target: Target,
  { allowPayments, payment, unaskable = () => undefined }: Allowed,
): Policy {
  const undoable = new Set(removalsOf(contract).map(({ from }) => from))
  const isHarmless = (view: OperationView) =>
    isRead(view) || view.effect === 'idempotent' || undoable.has(view.id)
  const isPayment = ({ id }: OperationView) => id === payment?.operation
  const mayPay = (view: OperationView) => isPayment(view) && allowPayments !== undefined
  // The guard asks whether the record is one that this run made.
  const actsOnOwn = ({ id }: OperationView) =>
    contract.links.some(({ to, from }) => to === id && undoable.has(from))
  const isAllowed = (view: OperationView) =>
    target !== 'live' || isHarmless(view) || actsOnOwn(view) || view === contract.signIn || mayPay(view)
  const forbidden = (view: OperationView) => (isAllowed(view) ? undefined : isPayment(view) ? UNPAID : UNDONE)
  const notSent = (view: OperationView) => forbidden(view) ?? unaskable(view)
  return {
    forbidden,
    may: (view) => notSent(view) === undefined,
    notSent,
  }
}

const UNPAID = 'not sent: a live service is not paid without --allow-payments'
const UNDONE = 'not sent: what it makes or changes on a live service could not be undone'

import type { Contract } from '../model/contract.ts'
import { valueAt } from '../model/document.ts'
import { type HttpRequest, jsonIn } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Target } from '../model/target.ts'
import { isRead, removalsOf } from './tracked-resources.ts'

/** Decides which operations may be sent to a target. */
export interface Policy {
  canSend(view: OperationView): boolean
  /** Why an operation must not be sent to this target; undefined if it may be. */
  forbiddenReason(view: OperationView): string | undefined
  /** The same, or why no request can be built. */
  notSentReason(view: OperationView): string | undefined
}

interface PolicyOptions {
  /** The operation that moves money; undefined if there is none. */
  readonly payment?: Pick<Payment, 'operation'> | undefined
  readonly allowPayments?: { readonly maxAmount: string }
  /** Why no request of an operation can be built. */
  readonly unsendable?: (view: OperationView) => string | undefined
}

/**
 * Allows everything for a mock or a sandbox. A live service gets reads, operations that delete, and creations whose
 * response links to one that deletes; payments only if they are allowed. The guard checks which record is
 * concerned.
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
  // The guard checks that the record belongs to this run. An action, or a creation below a record, may have other
  // effects, so it is sent only if the contract links to it.
  const changesOwnRecord = (view: OperationView) =>
    contract.links.some(
      ({ to, from, pointer }) =>
        to === view.id && undoable.has(from) && (pointer !== '' || changesOnly(view)),
    )
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

/** Whether an operation changes or deletes the record of its path, and does nothing else. */
function changesOnly({ method, bodyPointer }: OperationView): boolean {
  return method === 'DELETE' || (/^(PUT|PATCH)$/.test(method) && bodyPointer !== undefined)
}

const PAYMENT_NOT_ALLOWED = 'not sent: payments on a live service need --allow-payments'
const CANNOT_BE_UNDONE = 'not sent: its effect on a live service could not be undone'

/** The operation that moves money, and its amount. */
export interface Payment {
  readonly operation: string
  /** JSON pointer into the request body. */
  readonly amount: string
}

/** Whether the amount is within the limit. An amount that cannot be parsed exactly is not. */
export function isAtMost({ amount }: Payment, { body = '' }: HttpRequest, max: string | undefined): boolean {
  const [cents, most] = [valueAt(jsonIn(body), amount), max].map(centsOf)
  return cents !== undefined && most !== undefined && cents <= most
}

function centsOf(amount: unknown): bigint | undefined {
  const isPlain = typeof amount === 'string' && /^\d{1,12}\.\d{2}$/.test(amount)
  return isPlain ? BigInt(amount.replace('.', '')) : undefined
}

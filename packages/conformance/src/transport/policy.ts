import type { Target } from '../engine/result.ts'
import type { Contract } from '../model/contract.ts'
import type { OperationView } from '../model/operation-view.ts'
import { isRead, removalsOf } from './tracked-resources.ts'

/** What may be sent to a target, and with which values. */
export interface Policy {
  may(view: OperationView): boolean
  /** Why an operation must not be sent to this target; undefined where it may be. */
  forbidden(view: OperationView): string | undefined
  /** The same, or why no request of it can be made. */
  notSent(view: OperationView): string | undefined
  /** Values by operation and pointer, that go before the examples, where charges are due on a day: 2026-11-21. */
  readonly values: (day: string) => Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Allowed {
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
  { allowPayments, unaskable = () => undefined }: Allowed,
): Policy {
  const undoable = new Set(removalsOf(contract).map(({ from }) => from))
  const isHarmless = (view: OperationView) =>
    isRead(view) || view.effect === 'idempotent' || undoable.has(view.id)
  const mayPay = ({ id }: OperationView) => id === PAYMENT && allowPayments !== undefined
  // The guard asks whether the record is one that this run made.
  const actsOnOwn = ({ id }: OperationView) =>
    contract.links.some(({ to, from }) => to === id && undoable.has(from))
  const isAllowed = (view: OperationView) =>
    target !== 'live' || isHarmless(view) || actsOnOwn(view) || view === contract.signIn || mayPay(view)
  const forbidden = (view: OperationView) => (isAllowed(view) ? undefined : whyForbidden(view))
  const notSent = (view: OperationView) => forbidden(view) ?? unaskable(view)
  return {
    forbidden,
    may: (view) => notSent(view) === undefined,
    notSent,
    values: (day) => valuesOf(allowPayments?.maxAmount ?? '0.01', day),
  }
}

function whyForbidden({ id }: OperationView): string {
  return id === PAYMENT
    ? 'not sent: a live service is not paid without --allow-payments'
    : 'not sent: what it makes or changes on a live service could not be undone'
}

/** The operation of our contract that moves money. */
export const PAYMENT = 'createTransfer'

/** What examples cannot say since it depends on the day, or costs. */
function valuesOf(amount: string, day: string): ReturnType<Policy['values']> {
  return {
    createTransfer: { '/amount': amount },
    createDueDateQrCode: { '/calendar/due_date': day, '/amount/discount/fixedDateDiscount/0/date': day },
  }
}

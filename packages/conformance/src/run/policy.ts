import type { Target } from '../result.ts'
import type { Contract } from './contract.ts'
import { isRead, removalsOf } from './made.ts'
import type { OperationView } from './operation-view.ts'

/** What may be sent to a target, and with which values. */
export interface Policy {
  may(view: OperationView): boolean
  /** Values by operation and pointer, that go before the examples, where charges are due on a day: 2026-11-21. */
  readonly values: (day: string) => Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Allowed {
  readonly allowPayments?: { readonly maxAmount: string }
}

/**
 * To a mock or a sandbox, everything. To a live service, what changes nothing or can be undone: an operation that
 * deletes, or one whose answer links to one that does. Never a payment, unless it is allowed. Which record is meant, the
 * guard asks.
 */
export function createPolicy(contract: Contract, target: Target, { allowPayments }: Allowed): Policy {
  const undoable = new Set(removalsOf(contract).map(({ from }) => from))
  const isHarmless = (view: OperationView) =>
    isRead(view) || view.effect === 'idempotent' || undoable.has(view.id)
  const mayPay = ({ id }: OperationView) => id === PAYMENT && allowPayments !== undefined
  // The guard asks whether the record is one that this run made.
  const actsOnOwn = ({ id }: OperationView) =>
    contract.links.some(({ to, from }) => to === id && undoable.has(from))
  return {
    may: (view) =>
      target !== 'live' || isHarmless(view) || actsOnOwn(view) || view === contract.signIn || mayPay(view),
    values: (day) => valuesOf(allowPayments?.maxAmount ?? '0.01', day),
  }
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

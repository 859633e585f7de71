import type { Operation } from '../contract/contract.ts'
import { parsedJson, stringAt } from '../contract/json.ts'
import type { SentRequest } from '../history.ts'

/** The kind of service, which decides what may be sent to it. */
export type Target = 'sandbox' | 'mock' | 'live'

export interface GuardOptions {
  readonly target: Target
  /** Allows transfers on a live service, each up to this amount. */
  readonly allowPayments?: { readonly maxAmount: string }
}

/** Operations that create a record which the run can end again. */
const UNDOABLE = ['createWebhook', 'createImmediateQrCode', 'createDueDateQrCode']

/**
 * Why a request must not be sent; undefined if it may be. A live service gets reads, creations that can be undone, and
 * changes of records that this run has created; transfers only if they are allowed.
 */
export function forbiddenReason(
  operation: Operation | undefined,
  request: SentRequest,
  { target, allowPayments, isOwn }: GuardOptions & { readonly isOwn: (path: string) => boolean },
): string | undefined {
  if (target !== 'live') return undefined
  if (!operation) return 'not sent: on a live service, it may match an operation that is not known'
  if (operation.id === 'createTransfer') return paymentReason(request, allowPayments?.maxAmount)
  const isHarmless =
    operation.effect === 'read' || operation.scheme === 'basic' || operation.id === 'impersonate'
  if (isHarmless || UNDOABLE.includes(operation.id)) return undefined
  return isOwn(request.path)
    ? undefined
    : 'not sent: on a live service, only records of this run may be changed'
}

function paymentReason({ body = '' }: SentRequest, maxAmount: string | undefined): string | undefined {
  if (maxAmount === undefined) return 'not sent: payments on a live service need --allow-payments'
  const [amount, most] = [stringAt(parsedJson(body), '/amount'), maxAmount].map(centavos)
  const isAllowed = amount !== undefined && most !== undefined && amount <= most
  return isAllowed ? undefined : `not sent: the payment is above ${maxAmount}`
}

/** An amount that cannot be parsed exactly is none. */
function centavos(amount = ''): bigint | undefined {
  return /^\d{1,12}\.\d{2}$/.test(amount) ? BigInt(amount.replace('.', '')) : undefined
}

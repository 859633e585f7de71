import { type Exchange, isValid } from '../model/exchange.ts'
import { OF_NO_CONTENT } from '../model/refusals.ts'
import type { Cause, RequestContext } from './cause.ts'
import { listChargeCauses } from './charges.ts'
import { listCodeCauses } from './codes.ts'
import { listKeyCauses } from './keys.ts'
import { listTransferCauses } from './transfers.ts'
import { listUrlCauses } from './webhooks.ts'

/** Whether a declared rule forbids a request, such as the payment of an expired code. */
export function isForbidden(context: RequestContext): boolean {
  return findApplicableCauses(context).length > 0
}

/** Lists the declared reasons for which a request should be refused; none of a request that is allowed. */
export function findApplicableCauses(context: RequestContext): readonly Cause[] {
  return findCauses(context).filter(({ applies }) => applies)
}

/**
 * Lists the declared reasons to refuse a request that the history establishes, such as
 * `{ code: 'code_expired', applies: true, … }`, and those that it excludes (`applies: false`). None if the
 * request is invalid, or may be refused for another reason, such as its token.
 */
export function findCauses(context: RequestContext): readonly Cause[] {
  const { exchange } = context
  const { operation, identity, outcome, status } = exchange
  const listCauses = operation && CAUSES_BY_OPERATION[operation.id]
  if (!listCauses || !isValidAsFarAsKnown(exchange)) return []

  // A token of which the history does not show for whom it was issued may be invalid, unless it was accepted.
  const isTokenKnown = identity !== undefined || outcome === 'accepted'
  // Statuses such as 401 or 413, which say nothing of the content.
  const isRefusedUnread = OF_NO_CONTENT.includes(status)
  if (!isTokenKnown || isRefusedUnread) return []

  return listCauses(context)
}

/** Whether a request is valid. If it was accepted, it does not matter that its headers are not known. */
function isValidAsFarAsKnown(exchange: Exchange): boolean {
  if (exchange.outcome !== 'accepted') return isValid(exchange)
  return isValid({ ...exchange, unknown: { ...exchange.unknown, requestHeaders: false } })
}

/** The operations whose requests may be forbidden, with the functions that list their causes. */
const CAUSES_BY_OPERATION: Readonly<Record<string, (context: RequestContext) => readonly Cause[]>> =
  {
    checkCode: listCodeCauses,
    checkKey: listKeyCauses,
    createTransfer: listTransferCauses,
    createImmediateQrCode: listChargeCauses,
    createDueDateQrCode: listChargeCauses,
    createStaticQrCode: listChargeCauses,
    createWebhook: listUrlCauses,
    updateWebhook: listUrlCauses,
  }

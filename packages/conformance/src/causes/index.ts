import { isValid } from '../model/exchange.ts'
import { OF_NO_CONTENT } from '../model/refusals.ts'
import type { Cause, RequestContext } from './cause.ts'
import { chargeCauses } from './charges.ts'
import { codeCauses } from './codes.ts'
import { keyCauses } from './keys.ts'
import { transferCauses } from './transfers.ts'
import { urlCauses } from './webhooks.ts'

/** Whether a declared rule forbids a request. */
export function isForbidden(requested: RequestContext): boolean {
  return findApplicableCauses(requested).length > 0
}

/** The causes that apply. */
export function findApplicableCauses(requested: RequestContext): readonly Cause[] {
  return findCauses(requested).filter(({ applies }) => applies)
}

/**
 * The declared reasons to refuse a request that the history establishes, and those that it
 * excludes.
 */
export function findCauses(requested: RequestContext): readonly Cause[] {
  const { exchange } = requested
  const find = CAUSES_BY_OPERATION[exchange.operation?.id ?? '']
  if (!find || !exchange.by || OF_NO_CONTENT.includes(exchange.status)) return []
  return isValid(exchange) ? find(requested) : []
}

const CAUSES_BY_OPERATION: Readonly<
  Record<string, (requested: RequestContext) => readonly Cause[]>
> = {
  checkCode: codeCauses,
  checkKey: keyCauses,
  createTransfer: transferCauses,
  createImmediateQrCode: chargeCauses,
  createDueDateQrCode: chargeCauses,
  createStaticQrCode: chargeCauses,
  createWebhook: urlCauses,
  updateWebhook: urlCauses,
}
